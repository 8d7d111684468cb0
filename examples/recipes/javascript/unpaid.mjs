// Orders that were not paid in an hour, as they are missed.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { connect } from 'weir-client'

const weir = connect()
await weir.stream('unpaid', 'orders').sendMany(createInterface({ input: createReadStream('fixtures/unpaid.orders.ndjson') }))
await weir.stream('unpaid', 'payments').sendMany(createInterface({ input: createReadStream('fixtures/unpaid.payments.ndjson') }))
let missed = 0
for await (const { order, country, price } of weir.stream('unpaid', 'unpaid_orders').live({ last: 2 })) {
  console.log(JSON.stringify({ order, country, price }))
  if (++missed === 2) break
}
