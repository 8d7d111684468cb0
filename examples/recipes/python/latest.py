# The last value of one sensor, and of each.
import json

from weir_client import Weir

weir = Weir()
weir.stream("latest", "readings").send_many(open("fixtures/latest.readings.ndjson"))
[last] = weir.query('select * from latest.readings where sensor = "s1" limit 1')
print(json.dumps({"s1": last["celsius"]}))
for row in weir.saved("latest_readings").rows():
    print(json.dumps(row))
