# Trucks at the gate, as they came and left.
import json

from weir_client import Weir

weir = Weir()
weir.stream("yard", "positions").send_many(open("fixtures/yard.positions.ndjson"))
for row in weir.saved("crossings").rows():
    print(json.dumps(row))
