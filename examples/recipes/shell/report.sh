# A reading that is too hot is sent at once; more of them wait for the send of the next day.
set -e
echo '{"_pk":1772442000000000,"sensor":"s1","celsius":81}' | weir send report.readings - >&2
until weir query 'select * from notif where notifid = 8' --json | jq -ce '{name, count}'; do sleep 1; done
weir send report.readings fixtures/report.readings.ndjson >&2
weir query 'select aggr(celsius) from report.readings where st >= "2026-03-02" and et < "2026-03-03" rollup 1' --json |
  jq -c '{readings: .value.cnt, max: .value.max}'
