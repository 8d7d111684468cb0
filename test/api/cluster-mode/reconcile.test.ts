/** POST /reconcile where tables are spread over a cluster, of one shard. */
import '../../support/clickhouse/on-cluster.ts'
import { readFileSync } from 'node:fs'
import test from 'ava'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import type { Row } from '../../support/requests/client.ts'
import { startService } from '../../support/service.ts'

const shop = readFileSync(new URL('../../../examples/shop/schema.json', import.meta.url), 'utf8')

let clickhouse: ClickHouse
const { client, close } = await startService({}, undefined, {
  clickhouse: (part) => {
    clickhouse = part
    return part
  },
})
test.after.always(close)

const visits = Array.from({ length: 60 }, (_, i) => ({
  visitor: `v${i % 7}`,
  page: `p${i % 3}`,
  country: i % 2 === 0 ? 'AT' : 'DE',
  price: i,
  quantity: 1 + (i % 4),
}))

const queries = [
  'select count(*) from shop.visits',
  'select count(*) from shop.expensive_visits',
  'select * from shop.visitor_profile',
  'select * from shop.page_profile',
  'select aggr(price) from shop.visits where st >= 1 and et <= 9000000000000000 rollup 1',
  'select aggr(total) from shop.visits where st >= 1 and et <= 9000000000000000 rollup 1',
  'select aggr(price) from shop.visits groupby country:page rollup 1',
  'select aggr(visitor) from shop.visits groupby page rollup 1',
  'select aggr(price) from shop.expensive_visits where st >= 1 and et <= 9000000000000000 rollup 1',
]
/** A rollup's own time is that of the question, and sums are the same to rounding. */
const settled = ({ k, v }: Row): string =>
  `${String(v).includes('fromts') && !String(k).includes(':') ? '' : k} ${String(v).replace(/\d+\.\d+/g, (number) => Number(number).toPrecision(9))}`

/** The answers to clients, their rows in one order. */
async function told(): Promise<unknown[]> {
  const answers = await Promise.all(queries.map((sql) => client.ok(client.query(sql))))
  const triples = await client.ok(client.graph('shop.visits', 's=>(*)-[*]->(*)'))
  const sorted = answers.map(({ rows, retval }) => retval ?? rows.map(settled).toSorted())
  return [...sorted, triples.triple.map((triple: unknown) => JSON.stringify(triple)).toSorted()]
}

const again = (table: string): string => `INSERT INTO ${table} SELECT * FROM ${table} SETTINGS insert_deduplicate = 0`
const away = (table: string, rows: string): string =>
  `ALTER TABLE ${table} DELETE WHERE ${rows} SETTINGS mutations_sync = 2`

/** Some tables of each kind, and the statement that damages each. */
const damages = [
  { table: 'visits__60', statement: again('shop.visits__60') },
  { table: 'visits__300__country__page', statement: away('shop.visits__300__country__page', "country = 'AT'") },
  { table: 'visitor_profile__keys', statement: again('shop.visitor_profile__keys') },
  { table: 'expensive_visits (filtered)', statement: away('shop.expensive_visits', 'price > 55') },
  { table: 'shop_graph_rel (VIEWED)', statement: again('graph.shop_graph_rel') },
]

test('what a crash left in tables of a cluster is found and repaired, and nothing else changes', async (t) => {
  await client.ok(client.post('/stream', shop))
  await client.lines('shop.visits', visits)
  t.is(await client.count('select count(*) from shop.visits'), visits.length)
  const before = await told()
  const wrong = async (): Promise<string[]> => {
    const { streams } = await client.ok(client.post('/reconcile?force=1', { schema: 'shop' }))
    return streams.flatMap(({ table, wrong }: { table: string; wrong: number }) => (wrong > 0 ? [table] : []))
  }
  t.deepEqual(await wrong(), [])
  for (const { statement } of damages) await clickhouse.run(statement)
  const found = await wrong()
  for (const { table } of damages) t.true(found.includes(table), `${table} in ${found}`)
  t.deepEqual(await told(), before)
  t.deepEqual(await wrong(), [])
})
