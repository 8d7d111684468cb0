# Cards that are used more than three times in ten minutes, or for more than 1,000 in an hour.
import json

from weir_client import Weir

weir = Weir()
weir.stream("cards", "swipes").send_many(open("fixtures/cards.swipes.ndjson"))
for row in weir.saved("suspicious_swipes").rows():
    print(json.dumps(row))
