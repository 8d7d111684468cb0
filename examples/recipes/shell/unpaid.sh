# Orders that were not paid in an hour, as they are missed.
set -e
weir send unpaid.orders fixtures/unpaid.orders.ndjson >&2
weir send unpaid.payments fixtures/unpaid.payments.ndjson >&2
weir tail unpaid.unpaid_orders --last 2 --limit 2 | jq -c '{order, country, price}'
