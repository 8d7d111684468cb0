# The sum that one customer has spent, and the customers who spent most.
import json

from weir_client import Weir

weir = Weir()
weir.stream("customers", "orders").send_many(open("fixtures/customers.orders.ndjson"))
[bob] = weir.query('select * from customers.profiles where customer = "bob"')
print(json.dumps({"bob": bob["spent"]["sum"]}))
for row in weir.saved("best_customers").rows({"n": 2}):
    print(json.dumps(row))
