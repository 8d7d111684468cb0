// How far visitors came within a day: 1 looked, 2 filled a cart, 3 paid.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { connect } from 'weir-client'

const weir = connect()
await weir.stream('funnel', 'steps').sendMany(createInterface({ input: createReadStream('fixtures/funnel.steps.ndjson') }))
for await (const row of weir.saved('funnel_levels').rows()) console.log(JSON.stringify(row))
