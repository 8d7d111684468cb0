# The revenue of each day, and of the hours of one category.
set -e
weir send revenue.orders fixtures/revenue.orders.ndjson >&2
weir saved revenue_by_day --json
weir query 'select aggr(total) from revenue.orders groupby category' --json |
  jq -c '{category, revenue: .value.sum}'
