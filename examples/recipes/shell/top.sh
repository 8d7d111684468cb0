# The most frequent pages of each minute, and of the whole time.
set -e
weir send site.views fixtures/site.views.ndjson >&2
weir saved top_pages --json
weir query 'select aggr(page) from site.views rollup 1' --json | jq -c .value.top
