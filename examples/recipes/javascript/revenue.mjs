// The revenue of each day, and of the hours of one category.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { connect } from 'weir-client'

const weir = connect()
await weir.stream('revenue', 'orders').sendMany(createInterface({ input: createReadStream('fixtures/revenue.orders.ndjson') }))
for await (const row of weir.saved('revenue_by_day').rows()) console.log(JSON.stringify(row))
for await (const { category, value } of weir.query('select aggr(total) from revenue.orders groupby category'))
  console.log(JSON.stringify({ category, revenue: value.sum }))
