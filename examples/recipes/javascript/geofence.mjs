// Trucks at the gate, as they came and left.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { connect } from 'weir-client'

const weir = connect()
await weir.stream('yard', 'positions').sendMany(createInterface({ input: createReadStream('fixtures/yard.positions.ndjson') }))
for await (const row of weir.saved('crossings').rows()) console.log(JSON.stringify(row))
