// Cards that are used more than three times in ten minutes, or for more than 1,000 in an hour.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { connect } from 'weir-client'

const weir = connect()
await weir.stream('cards', 'swipes').sendMany(createInterface({ input: createReadStream('fixtures/cards.swipes.ndjson') }))
for await (const row of weir.saved('suspicious_swipes').rows()) console.log(JSON.stringify(row))
