# Sensors that sent nothing for more than two minutes.
import json

from weir_client import Weir

weir = Weir()
weir.stream("gaps", "beats").send_many(open("fixtures/gaps.beats.ndjson"))
for row in weir.saved("silences").rows({"longer_s": 120}):
    print(json.dumps(row))
