# A price list, a price that changes, and what was sold at the prices of now.
set -e
records="$WEIR_URL/db/catalog/products"
curl -sf "$records/doc" -H 'Content-Type: application/x-ndjson' --data-binary @fixtures/catalog.products.ndjson >&2
weir send prices.sales fixtures/prices.sales.ndjson >&2
curl -sf "$records?key=p-1" && echo
curl -sf -X PUT "$records/doc" -d '{"_pk":"p-3","doc":{"name":"city shoe","group":"shoes","price":40}}' >&2
weir saved sold_products --json
