// Sensors that sent nothing for more than two minutes.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { connect } from 'weir-client'

const weir = connect()
await weir.stream('gaps', 'beats').sendMany(createInterface({ input: createReadStream('fixtures/gaps.beats.ndjson') }))
for await (const row of weir.saved('silences').rows({ longer_s: 120 })) console.log(JSON.stringify(row))
