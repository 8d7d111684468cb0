# Two devices send once; the alerts come as they are missed.
set -e
weir send devices.beats fixtures/devices.beats.ndjson >&2
weir tail devices.silent --last 2 --limit 2 | jq -c '{device}' | sort
