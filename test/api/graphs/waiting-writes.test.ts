/** Clients' writes to a graph, while they stand in the log and ClickHouse does not have them yet. */
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import type { Insertion } from '../../../infra/clickhouse/clickhouse.ts'
import { ClickHouseError } from '../../../infra/clickhouse/clickhouse.ts'
import { freePort } from '../../../scripts/processes/ports.js'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

type Hook = (insertion: Insertion) => Promise<void> | void
/** Called before each insert, and after it. */
let beforeInsert: Hook = () => {}
let afterInsert: Hook = () => {}
const analysts = await freePort()
const service = await startService({ CLICKHOUSE_HTTP_PORT: `${analysts}` }, undefined, {
  clickhouse: (part) => ({
    ...part,
    insert: async (insertion) => {
      await beforeInsert(insertion)
      await part.insert(insertion)
      await afterInsert(insertion)
    },
  }),
})
const { client } = service
test.after.always(() => service.close())
test.afterEach.always(() => {
  beforeInsert = () => {}
  afterInsert = () => {}
})

const query = (graph: string, text: string, more = '') => client.send('POST', `/graph/${graph}/query${more}`, text)
const ok = (graph: string, text: string, more = '') => client.ok(query(graph, text, more))
const names = async (graph: string, more = ''): Promise<string[]> =>
  (await ok(graph, 's=>(@p P:*); RETURN p.name SORT_ASC name', more)).rows.map(({ name }: { name: string }) => name)
const make = (graph: string) => client.ok(client.get(`/graph/${graph}/new`))

/** Nothing comes into the graphs until it is called. */
function holdGraphs(): () => void {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  beforeInsert = ({ table }) => (table.startsWith('`graph`.') ? held : undefined)
  return letGo
}

test.serial(
  'a write is answered while ClickHouse takes nothing, and a query misses none: it waits, and is a 504',
  async (t) => {
    await make('slow')
    const letGo = holdGraphs()
    await ok('slow', 'CREATE (P:a {"n": 1})-[R {"w": 2}]->(P:b)')
    await client.ok(client.post('/graph/slow/node', { label: 'P', name: 'c', prop: {} }))
    const early = await query('slow', 's=>(@p P:*); RETURN p.name')
    t.deepEqual([early.status, early.body.errcode], [504, -7])
    t.deepEqual((await client.send('GET', '/graph/stat/0')).status, 504)
    t.deepEqual(await names('slow', '?consistency=eventual'), [])
    letGo()
    t.deepEqual(await names('slow'), ['a', 'b', 'c'])
    t.deepEqual((await ok('slow', 's=>(@p P:a)-[@r R]->(@q P:*); RETURN p.n, r.w, q.name')).rows, [
      { n: 1, w: 2, name: 'b' },
    ])
    const { graphs } = await client.ok(client.get('/graph/stat/0'))
    const counted = graphs.find((graph: object) => 'slow' in graph)
    t.deepEqual([counted.entity.table[0].num_records, counted.rel.table[0].num_records], [3, 1])
  },
)

test.serial('each query, count and algorithm sees all that was written before it, to any client', async (t) => {
  await make('own')
  const clients = Array.from({ length: 8 }, async (_, id) => {
    for (let round = 1; round <= 10; round++) {
      await ok('own', `CREATE (C:c${id} {"first": ${round}})-[R {"round": ${round}}]->(D:d${id}_${round})`)
      const { rows } = await ok('own', `s=>(@c C:c${id})-[R]->(D:*); RETURN COUNT(*) AS n, c.first`)
      if (rows[0]?.n !== round || rows[0]?.first !== 1) return `client ${id} round ${round}: ${JSON.stringify(rows)}`
    }
    return undefined
  })
  t.deepEqual(
    (await Promise.all(clients)).filter((problem) => problem !== undefined),
    [],
  )
  await ok('own', 'CREATE (C:c0)-[R]->(E:last)')
  t.like(await client.ok(client.post('/graph/own/algorithm/components?wait=30', {})), { state: 'done', nodes: 89 })
})

test.serial('analysts see what was written before their statement', async (t) => {
  await make('read')
  for (let n = 1; n <= 10; n++) {
    await ok('read', `CREATE (P:p${n})-[R]->(P:hub)`)
    const sql = 'SELECT (SELECT count() FROM graph.read), (SELECT count() FROM graph.read_rel) FORMAT CSV'
    const answer = await fetch(`http://127.0.0.1:${analysts}/`, { method: 'POST', body: sql })
    t.is(await answer.text(), `${n + 1},${n}\n`)
  }
})

test.serial(
  'DELETE and MERGE come after all that was written before them, and before what is written after',
  async (t) => {
    await make('order')
    const inTurn = async (write: string, change: string): Promise<void> => {
      const letGo = holdGraphs()
      await ok('order', write)
      const changed = ok('order', change, '?consistency=eventual')
      // Long enough for a change that waits for nothing.
      await sleep(500)
      letGo()
      await changed
    }
    await inTurn('CREATE (P:old {"n": 1})-[R]->(P:hub)', 'DELETE (P:old)')
    await ok('order', 'CREATE (P:old {"n": 2})')
    await inTurn('CREATE (P:second {"m": 3})-[R]->(P:far)', 'MERGE (P:hub)<-[*]-(P:second)')
    await ok('order', 'CREATE (P:second {"m": 4})')
    t.deepEqual((await ok('order', 's=>(@p P:*); RETURN p.name, p.n, p.m SORT_ASC name')).rows, [
      { name: 'far' },
      { name: 'hub', m: 3 },
      { name: 'old', n: 2 },
      { name: 'second', m: 4 },
    ])
    t.deepEqual((await ok('order', 's=>(@p P:*)-[R]->(@q P:*); RETURN p.name, q.name AS to')).rows, [
      { name: 'hub', to: 'far' },
    ])
  },
)

test.serial('what waits goes with its graph, and a new one of that name begins empty', async (t) => {
  await make('again')
  const letGo = holdGraphs()
  await ok('again', 'CREATE (P:before)-[R]->(P:hub)')
  const dropped = client.ok(client.send('DELETE', '/graph/again'))
  letGo()
  await dropped
  t.is((await query('again', 's=>(P:*)')).status, 404)
  await client.ok(client.post('/graph/again/node', { label: 'P', name: 'after', prop: {} }))
  t.deepEqual(await names('again'), ['after'])
})

test.serial(
  'what waits for the graph of a schema goes with the schema, and nothing is lost of a new one of that name',
  async (t) => {
    const streams = [{ name: 'st', type: 1, swsz: 0, attr: [{ name: 'n', type: 'LONG' }] }]
    const schema = { schema: 'came', streams }
    for (const round of [1, 2, 3]) {
      await client.register(schema)
      await ok('came_graph', `CREATE (P:r${round})-[R]->(P:hub)`)
      t.deepEqual(await names('came_graph'), ['hub', `r${round}`])
      await ok('came_graph', 'CREATE (P:waits)')
      await client.ok(client.send('DELETE', '/stream/came'))
      t.is((await query('came_graph', 's=>(P:*)')).status, 404)
    }
  },
)

test.serial('a failing ClickHouse gets the same lines again, once, and other graphs are not delayed', async (t) => {
  await make('ill')
  await make('well')
  let failures = 4
  const fail: Hook = ({ table }) => {
    if (table.includes('ill_rel') && failures > 0) {
      failures--
      throw new ClickHouseError(241, 'Memory limit exceeded')
    }
  }
  beforeInsert = (insertion) => (failures > 2 ? fail(insertion) : undefined)
  afterInsert = fail
  await ok('ill', 'CREATE (P:a)-[R {"i": 1}]->(P:b)')
  await ok('well', 'CREATE (P:a)')
  t.deepEqual(await names('well'), ['a'])
  await until('the graph is fed', async () => (await query('ill', 's=>(P:*)-[R]->(P:*)')).status === 200)
  t.deepEqual((await ok('ill', 's=>(P:*)-[@r R]->(P:*); RETURN r.i')).rows, [{ i: 1 }])
  t.is(failures, 0)
})
