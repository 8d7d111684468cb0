# Pages and hours in which one of twenty views took longer than half a second.
import json

from weir_client import Weir

weir = Weir()
weir.stream("latency", "views").send_many(open("fixtures/latency.views.ndjson"))
for row in weir.saved("slow_pages").rows({"longer_ms": 500}):
    print(json.dumps(row))
