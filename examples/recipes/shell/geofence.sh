# Trucks at the gate, as they came and left.
set -e
weir send yard.positions fixtures/yard.positions.ndjson >&2
weir saved crossings --json
