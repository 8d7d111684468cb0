// The contents of a fuzzed service, and its document with their names: else most requests would ask for things that are
// not there.

import { read } from './processes/run.js'

/** @typedef {Record<string, unknown>} Json */
/** @typedef {{ name: string, in: string, schema: Json }} Parameter */
/** @typedef {{ parameters?: Parameter[] }} Operation */
/** @typedef {{ components: { schemas: Record<string, { properties: Json }> }, paths: Record<string, Record<string, Operation>> }} Document */

const triple = {
  sub: { label: 'Person', name: 'Tom Hanks', prop: { born: 1956 } },
  pred: { rel: 'ACTED_IN', prop: {} },
  obj: { label: 'Movie', name: 'Cast Away', prop: { year: 2000 } },
}
const training = {
  'schema-name': 'shop',
  model_name: 'kinds',
  algo_type: 'KMEANS',
  algo_param: { k: 2 },
  attr_type: 1,
  training_details: { training_source_type: 'STREAM', 'stream-name': 'visits' },
  attr_list: [
    { name: 'price', position: 0 },
    { name: 'quantity', position: 1 },
  ],
}

const ofVisits = { id: 'of_visits', from: { bucket: 'flights', key: 'visits' }, format: 'NDJSON', into: 'shop.visits' }
const hookSecret = 'a-secret-of-github'
const ofCountry = 'SELECT page, count() AS visits FROM shop.visits WHERE country = {country:String} GROUP BY page'

/** @type {[method: string, path: string, body: string, type?: string][]} */
const steps = [
  ['POST', '/stream', read('examples/shop/schema.json')],
  ['POST', '/stream/shop/visits', read('examples/shop/visits.ndjson'), 'application/x-ndjson'],
  ['POST', '/db/mydb/table', JSON.stringify({ table_name: 'airports', table_type: 1, key_type: 1 })],
  ['POST', '/db/mydb/airports/doc', JSON.stringify({ _pk: 'SFO', doc: { state: 'CA', runways: 4 } })],
  ['POST', '/db/mydb/table', JSON.stringify({ table_name: 'plain', table_type: 0, key_type: 10 })],
  ['POST', '/graph/films/triple', JSON.stringify(triple)],
  ['POST', '/brs/bucket', JSON.stringify({ bucket_name: 'flights' })],
  ['PUT', '/brs/flights/object/visits', read('examples/shop/visits.ndjson')],
  ['POST', '/ml/train', JSON.stringify(training)],
  ['PUT', '/hook/of_visits', JSON.stringify({ into: 'shop.visits', verify: { scheme: 'github', secret: hookSecret } })],
  ['POST', '/import?wait=30', JSON.stringify(ofVisits)],
  ['PUT', '/saved/of_country', JSON.stringify({ sql: ofCountry, params: { country: { default: 'DE' } } })],
]

/** @param {string} url */
export async function prepareGround(url) {
  for (const [method, path, body, type = 'application/json'] of steps) {
    const answer = await fetch(url + path, { method, body, headers: { 'content-type': type } })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  }
}

/** @type {Record<string, string[]>} */
const names = {
  schema: ['shop'],
  stream: ['visits', 'visitor_profile', 'expensive_visits'],
  database: ['mydb'],
  table: ['airports', 'plain'],
  graph: ['films', 'shop_graph'],
  bucket: ['flights', 'ml_bucket_info'],
  key: ['visits'],
  model: ['kinds'],
  saved: ['of_country'],
  hook: ['of_visits'],
  message: ['track', 'batch'],
  import: ['of_visits'],
}
const queries = [
  'select * from shop.visits where price >= 10 limit 2',
  'select aggr(price) from shop.visits rollup 2',
  'select aggr(visitor) from shop.visits groupby country',
  'select * from airports where state = "CA"',
  'insert into airports values "X" {"a":1}',
  'update airports set val = {"a":2} where _pk = "X"',
  'select usage from weir_stream',
]

/** The document, with names of existing things beside others: in statements, and in all paths but the ones that delete.
 * @param {Document} document */
export function onGround(document) {
  const narrowed = structuredClone(document)
  for (const methods of Object.values(narrowed.paths)) {
    for (const [method, { parameters = [] }] of Object.entries(methods)) {
      for (const parameter of parameters.filter((each) => each.in === 'path' && method !== 'delete')) {
        const known = names[parameter.name]
        if (known) parameter.schema = { anyOf: [{ enum: known }, parameter.schema] }
      }
    }
  }
  const statement = narrowed.components.schemas.RunQueryBody?.properties
  if (!statement) throw new Error('the document has no body of a query named RunQueryBody')
  statement.sql = { anyOf: [{ enum: queries }, { type: 'string' }] }
  return narrowed
}
