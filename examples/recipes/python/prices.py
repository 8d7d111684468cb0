# A price list, a price that changes, and what was sold at the prices of now.
import json

from weir_client import Weir

weir = Weir()
products = weir.table("catalog", "products")
for line in open("fixtures/catalog.products.ndjson"):
    record = json.loads(line)
    products.put(record["_pk"], record["doc"])
weir.stream("prices", "sales").send_many(open("fixtures/prices.sales.ndjson"))
print(json.dumps(products.get("p-1")))
products.put("p-3", {"name": "city shoe", "group": "shoes", "price": 40})
for row in weir.saved("sold_products").rows():
    print(json.dumps(row))
