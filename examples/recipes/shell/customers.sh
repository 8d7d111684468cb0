# The sum that one customer has spent, and the customers who spent most.
set -e
weir send customers.orders fixtures/customers.orders.ndjson >&2
weir query 'select * from customers.profiles where customer = "bob"' --json | jq -c '{bob: .spent.sum}'
weir saved best_customers n=2 --json
