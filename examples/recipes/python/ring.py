# The accounts that share a device or a card with a1, and every ring by an algorithm.
import json

from weir_client import Weir

weir = Weir()
weir.stream("ring", "signups").send_many(open("fixtures/ring.signups.ndjson"))
graph = weir.graph("ring_graph")
near = graph.query("s{UNIQUE_IN_CONTEXT}=>(account:a1)-[*]->(*)<-[*]-(@b account:* {name != a1}); RETURN b.name")
graph.algorithm("components", wait_s=30)
rings = graph.query(
    "s=>(@a account:*); RETURN a.component, COUNT(*) AS accounts WHERE accounts > 1 SORT_ASC component"
)
for row in near["rows"] + rings["rows"]:
    print(json.dumps(row))
