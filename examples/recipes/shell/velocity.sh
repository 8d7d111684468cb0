# Cards that are used more than three times in ten minutes, or for more than 1,000 in an hour.
set -e
weir send cards.swipes fixtures/cards.swipes.ndjson >&2
weir saved suspicious_swipes --json
