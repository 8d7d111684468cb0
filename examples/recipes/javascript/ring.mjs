// The accounts that share a device or a card with a1, and every ring by an algorithm.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { connect } from 'weir-client'

const weir = connect()
await weir.stream('ring', 'signups').sendMany(createInterface({ input: createReadStream('fixtures/ring.signups.ndjson') }))
const graph = weir.graph('ring_graph')
const near = await graph.query('s{UNIQUE_IN_CONTEXT}=>(account:a1)-[*]->(*)<-[*]-(@b account:* {name != a1}); RETURN b.name')
for (const row of near.rows) console.log(JSON.stringify(row))
await graph.algorithm('components', {}, { wait_s: 30 })
const rings = await graph.query(
  's=>(@a account:*); RETURN a.component, COUNT(*) AS accounts WHERE accounts > 1 SORT_ASC component',
)
for (const row of rings.rows) console.log(JSON.stringify(row))
