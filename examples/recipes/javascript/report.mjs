// A reading that is too hot is sent at once; more of them wait for the send of the next day.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { connect } from 'weir-client'

const weir = connect()
await weir.stream('report', 'readings').send({ _pk: 1772442000000000, sensor: 's1', celsius: 81 })
for await (const { rows } of weir.follow('select * from notif where notifid = 8')) {
  for (const { name, count } of rows) console.log(JSON.stringify({ name, count }))
  if (rows.length > 0) break
}
await weir.stream('report', 'readings').sendMany(createInterface({ input: createReadStream('fixtures/report.readings.ndjson') }))
const day = 'st >= "2026-03-02" and et < "2026-03-03"'
const { value } = await weir.query(`select aggr(celsius) from report.readings where ${day} rollup 1`).first()
console.log(JSON.stringify({ readings: value.cnt, max: value.max }))
