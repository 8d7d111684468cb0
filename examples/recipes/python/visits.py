# The visitors who left a cart, as their visit ends, and the length of visits.
import json

from weir_client import Weir

weir = Weir()
weir.stream("visitors", "clicks").send_many(open("fixtures/visitors.clicks.ndjson"))
lost = next(weir.stream("visitors", "lost_carts").live(last=1))
print(json.dumps({"visitor": lost["visitor"]}))
for row in weir.saved("lengths_of_visits").rows():
    print(json.dumps(row))
