// Sensors that swing by more than 5 degrees, and the readings that lie far from the mean of their sensor.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { connect } from 'weir-client'

const weir = connect()
await weir.stream('unusual', 'readings').sendMany(createInterface({ input: createReadStream('fixtures/unusual.readings.ndjson') }))
for await (const { sensor, heat } of weir.query('select * from unusual.sensors where heat.stdd > 5'))
  console.log(JSON.stringify({ sensor, max: heat.max }))
for await (const row of weir.saved('outliers').rows()) console.log(JSON.stringify(row))
