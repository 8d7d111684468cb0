# The revenue of each day, and of the hours of one category.
import json

from weir_client import Weir

weir = Weir()
weir.stream("revenue", "orders").send_many(open("fixtures/revenue.orders.ndjson"))
for row in weir.saved("revenue_by_day").rows():
    print(json.dumps(row))
for row in weir.query("select aggr(total) from revenue.orders groupby category"):
    print(json.dumps({"category": row["category"], "revenue": row["value"]["sum"]}))
