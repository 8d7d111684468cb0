// The visitors who left a cart, as their visit ends, and the length of visits.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { connect } from 'weir-client'

const weir = connect()
await weir.stream('visitors', 'clicks').sendMany(createInterface({ input: createReadStream('fixtures/visitors.clicks.ndjson') }))
for await (const { visitor } of weir.stream('visitors', 'lost_carts').live({ last: 1 })) {
  console.log(JSON.stringify({ visitor }))
  break
}
for await (const row of weir.saved('lengths_of_visits').rows()) console.log(JSON.stringify(row))
