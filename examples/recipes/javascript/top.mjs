// The most frequent pages of each minute, and of the whole time.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { connect } from 'weir-client'

const weir = connect()
await weir.stream('site', 'views').sendMany(createInterface({ input: createReadStream('fixtures/site.views.ndjson') }))
for await (const row of weir.saved('top_pages').rows()) console.log(JSON.stringify(row))
const { value } = await weir.query('select aggr(page) from site.views rollup 1').first()
console.log(JSON.stringify(value.top))
