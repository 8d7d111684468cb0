# Pages and hours in which one of twenty views took longer than half a second.
set -e
weir send latency.views fixtures/latency.views.ndjson >&2
weir saved slow_pages longer_ms=500 --json
