# Sensors that swing by more than 5 degrees, and the readings that lie far from the mean of their sensor.
import json

from weir_client import Weir

weir = Weir()
weir.stream("unusual", "readings").send_many(open("fixtures/unusual.readings.ndjson"))
for row in weir.query("select * from unusual.sensors where heat.stdd > 5"):
    print(json.dumps({"sensor": row["sensor"], "max": row["heat"]["max"]}))
for row in weir.saved("outliers").rows():
    print(json.dumps(row))
