// The last value of one sensor, and of each.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { connect } from 'weir-client'

const weir = connect()
await weir.stream('latest', 'readings').sendMany(createInterface({ input: createReadStream('fixtures/latest.readings.ndjson') }))
const { celsius } = await weir.query('select * from latest.readings where sensor = "s1" limit 1').first()
console.log(JSON.stringify({ s1: celsius }))
for await (const row of weir.saved('latest_readings').rows()) console.log(JSON.stringify(row))
