# The last value of one sensor, and of each.
set -e
weir send latest.readings fixtures/latest.readings.ndjson >&2
weir query 'select * from latest.readings where sensor = "s1" limit 1' --json | jq -c '{s1: .celsius}'
weir saved latest_readings --json
