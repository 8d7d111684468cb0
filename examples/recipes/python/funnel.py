# How far visitors came within a day: 1 looked, 2 filled a cart, 3 paid.
import json

from weir_client import Weir

weir = Weir()
weir.stream("funnel", "steps").send_many(open("fixtures/funnel.steps.ndjson"))
for row in weir.saved("funnel_levels").rows():
    print(json.dumps(row))
