# The accounts that share a device or a card with a1, and every ring by an algorithm.
set -e
weir send ring.signups fixtures/ring.signups.ndjson >&2
weir graph ring_graph 's{UNIQUE_IN_CONTEXT}=>(account:a1)-[*]->(*)<-[*]-(@b account:* {name != a1}); RETURN b.name' --json |
  jq -c '.rows[]'
curl -sf -X POST "$WEIR_URL/graph/ring_graph/algorithm/components?wait=30" >&2
weir graph ring_graph 's=>(@a account:*); RETURN a.component, COUNT(*) AS accounts WHERE accounts > 1 SORT_ASC component' --json |
  jq -c '.rows[]'
