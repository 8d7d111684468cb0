# Sensors that sent nothing for more than two minutes.
set -e
weir send gaps.beats fixtures/gaps.beats.ndjson >&2
weir saved silences longer_s=120 --json
