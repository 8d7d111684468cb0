# The visitors who left a cart, as their visit ends, and the length of visits.
set -e
weir send visitors.clicks fixtures/visitors.clicks.ndjson >&2
weir tail visitors.lost_carts --last 1 --limit 1 | jq -c '{visitor}'
weir saved lengths_of_visits --json
