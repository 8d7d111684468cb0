# Sensors that swing by more than 5 degrees, and the readings that lie far from the mean of their sensor.
set -e
weir send unusual.readings fixtures/unusual.readings.ndjson >&2
weir query 'select * from unusual.sensors where heat.stdd > 5' --json | jq -c '{sensor, max: .heat.max}'
weir saved outliers --json
