// Pages and hours in which one of twenty views took longer than half a second.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { connect } from 'weir-client'

const weir = connect()
await weir.stream('latency', 'views').sendMany(createInterface({ input: createReadStream('fixtures/latency.views.ndjson') }))
for await (const row of weir.saved('slow_pages').rows({ longer_ms: 500 })) console.log(JSON.stringify(row))
