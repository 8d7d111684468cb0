# Orders that were not paid in an hour, as they are missed.
import itertools
import json

from weir_client import Weir

weir = Weir()
weir.stream("unpaid", "orders").send_many(open("fixtures/unpaid.orders.ndjson"))
weir.stream("unpaid", "payments").send_many(open("fixtures/unpaid.payments.ndjson"))
live = weir.stream("unpaid", "unpaid_orders").live(last=2)
for row in itertools.islice(live, 2):
    print(json.dumps({name: row[name] for name in ("order", "country", "price")}))
