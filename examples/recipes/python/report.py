# A reading that is too hot is sent at once; more of them wait for the send of the next day.
import json

from weir_client import Weir

weir = Weir()
weir.stream("report", "readings").send({"_pk": 1772442000000000, "sensor": "s1", "celsius": 81})
for answer in weir.follow("select * from notif where notifid = 8"):
    for row in answer["rows"]:
        print(json.dumps({"name": row["name"], "count": row["count"]}))
    if answer["rows"]:
        break
weir.stream("report", "readings").send_many(open("fixtures/report.readings.ndjson"))
day = 'st >= "2026-03-02" and et < "2026-03-03"'
[whole] = weir.query(f"select aggr(celsius) from report.readings where {day} rollup 1")
print(json.dumps({"readings": whole["value"]["cnt"], "max": whole["value"]["max"]}))
