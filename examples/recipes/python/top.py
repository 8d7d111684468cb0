# The most frequent pages of each minute, and of the whole time.
import json

from weir_client import Weir

weir = Weir()
weir.stream("site", "views").send_many(open("fixtures/site.views.ndjson"))
for row in weir.saved("top_pages").rows():
    print(json.dumps(row))
[whole] = weir.query("select aggr(page) from site.views rollup 1")
print(json.dumps(whole["value"]["top"]))
