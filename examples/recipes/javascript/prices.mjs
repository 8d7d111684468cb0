// A price list, a price that changes, and what was sold at the prices of now.
import { readFile } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { connect } from 'weir-client'

const weir = connect()
const products = weir.table('catalog', 'products')
for (const line of (await readFile('fixtures/catalog.products.ndjson', 'utf8')).trim().split('\n')) {
  const { _pk, doc } = JSON.parse(line)
  await products.put(_pk, doc)
}
await weir.stream('prices', 'sales').sendMany(createInterface({ input: createReadStream('fixtures/prices.sales.ndjson') }))
console.log(JSON.stringify(await products.get('p-1')))
await products.put('p-3', { name: 'city shoe', group: 'shoes', price: 40 })
for await (const row of weir.saved('sold_products').rows()) console.log(JSON.stringify(row))
