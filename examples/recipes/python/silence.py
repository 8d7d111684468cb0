# Two devices send once; the alerts come as they are missed.
import itertools
import json

from weir_client import Weir

weir = Weir()
for device in ("pump", "fan"):
    weir.stream("devices", "beats").send({"device": device})
live = weir.stream("devices", "silent").live(last=2)
for device in sorted(event["device"] for event in itertools.islice(live, 2)):
    print(json.dumps({"device": device}))
