/** Relations that come while a node is merged or deleted, by inserts that this process does not hold back, like inserts of others. */
import test from 'ava'
import type { ClickHouse } from '../../../../infra/clickhouse/clickhouse.ts'
import { nodeInput, nodeLines, tripleInput, tripleLine } from '../../../../sql/graph/index.ts'
import { openGraphs } from '../open.ts'

type Hook = (text: string) => Promise<void>
/** Called before each statement, and after it. */
let before: Hook = async () => {}
let behind: Hook = async () => {}
const { clickhouse, graphs, ask, create, close } = await openGraphs([], undefined, (real: ClickHouse) => ({
  ...real,
  run: async (statement) => {
    const text = typeof statement === 'string' ? statement : statement.text
    await before(text)
    await real.run(statement)
    await behind(text)
  },
}))
test.after.always(close)

const isChange = (text: string): boolean => /^(INSERT INTO|ALTER TABLE|DELETE FROM) `graph`/.test(text)
let last = 0

/** A relation of `P:s`, in two inserts as a client's or an event's, that was accepted at the moment `at`. */
async function relate(graph: string, id: number, at: number): Promise<void> {
  const [subject, object] = [
    { label: 'P', name: 's' },
    { label: 'P', name: `x${id}` },
  ]
  const nodes = [subject, object].map((node) => nodeLines({ ...node, properties: [] }, at)).join('')
  await clickhouse.insert({ table: nodeInput(graph), rows: Buffer.from(nodes) })
  const properties = [['id', `${id}`] as const]
  const line = tripleLine({ subject, relation: 'R', object, properties }, at)
  await clickhouse.insert({ table: tripleInput(graph), rows: Buffer.from(line) })
}

async function prepared(graph: string): Promise<string> {
  await graphs.make(graph)
  await ask(graph, 'CREATE (P:p {"a": 1})')
  await ask(graph, 'CREATE (P:s {"b": 2})-[R {"id": 0}]->(P:x0)')
  return graph
}

const edges = async (graph: string): Promise<readonly { readonly id: number; readonly s: string }[]> =>
  (await ask(graph, 's=>(@s *)-[@r R]->(*); RETURN r.id AS id, s.name AS s SORT_ASC id')).rows
const names = async (graph: string): Promise<readonly string[]> =>
  (await ask(graph, 's=>(@n P:*); RETURN n.name SORT_ASC name')).rows.map(({ name }: { name: string }) => name)

for (const [kind, text] of [
  ['merged', 'MERGE (P:p)<-[*]-(P:s)'],
  ['deleted', 'DELETE (P:s)'],
] as const) {
  for (const [when, moment] of [
    ['accepted earlier', () => 1_000 + ++last],
    ['accepted later', () => 8e15 + ++last],
  ] as const) {
    test.serial(`no relation that comes amid is lost, and none is without its node: ${kind}, ${when}`, async (t) => {
      const graph = await prepared(`${kind}_${when.replace(' ', '_')}`)
      let made = 0
      const more = async (statement: string) => {
        if (isChange(statement)) await relate(graph, ++made, moment())
      }
      ;[before, behind] = [more, more]
      await ask(graph, text)
      ;[before, behind] = [async () => {}, async () => {}]
      t.true(made > 4)
      const found = await edges(graph)
      const there = await names(graph)
      const ids = found.map(({ id }) => id)
      t.is(new Set(ids).size, ids.length, 'none is doubled')
      for (const { s, id } of found) t.true(there.includes(s), `the node ${s} of the relation ${id}`)
      const wanted = Array.from({ length: made + 1 }, (_, id) => id)
      if (kind === 'merged') t.deepEqual(ids, wanted)
      else if (when === 'accepted later') t.deepEqual(ids, wanted.slice(1))
      else t.true(ids.length <= made)
      if (when === 'accepted later')
        t.deepEqual([...new Set(found.filter(({ id }) => id > 0).map(({ s }) => s))], ['s'])
    })
  }
}

test.serial('a change that a process which died has left takes nothing that was accepted since', async (t) => {
  for (const [kind, primary] of [
    ['delete', ''],
    ['merge', 'p'],
  ] as const) {
    const graph = await prepared(`dead_${kind}`)
    const begun = {
      ...{ graph, primary_label: primary && 'P', primary_name: primary },
      ...{ secondary_label: 'P', secondary_name: 's', state: 'begun', version: Date.now() * 1000 },
    }
    await clickhouse.insert({ table: 'weir.graph_merges', rows: Buffer.from(`${JSON.stringify(begun)}\n`) })
    await ask(graph, 'CREATE (P:s {"c": 3})-[R {"id": 1}]->(P:x1)')
    await create().open()
    const found = await edges(graph)
    t.deepEqual(found.at(-1), { id: 1, s: 's' }, kind)
    t.deepEqual(found.length, primary === '' ? 1 : 2, kind)
    t.true((await names(graph)).includes('s'), kind)
    t.deepEqual((await ask(graph, 's=>(@n P:s); RETURN n.c')).rows, [{ c: 3 }], kind)
  }
})

test.serial(
  'another process ends such a change before it writes, so that a node of no relations stays, too',
  async (t) => {
    const graph = await prepared('orphaned')
    const version = Date.now() * 1000
    const begun = {
      ...{ graph, primary_label: '', primary_name: '', secondary_label: 'P', secondary_name: 's' },
      ...{ state: 'begun', version },
    }
    await clickhouse.insert({ table: 'weir.graph_merges', rows: Buffer.from(`${JSON.stringify(begun)}\n`) })
    const other = create({ isShared: true })
    await other.answer({ graph, text: 'CREATE (P:s {"c": 3})' })
    await clickhouse.run(`OPTIMIZE TABLE graph.${graph}__properties FINAL`)
    await create().open()
    t.deepEqual((await ask(graph, 's=>(@n P:s); RETURN n.b, n.c')).rows, [{ c: 3 }])
    t.deepEqual(await edges(graph), [])
    await other.close()
  },
)

test.serial('MERGE and DELETE of nodes that are not there change nothing', async (t) => {
  const graph = await prepared('absent')
  const whole = async () => [await edges(graph), (await ask(graph, 's=>(P:*)')).nodes]
  const before = await whole()
  for (const text of ['MERGE (P:p)<-[*]-(P:q)', 'MERGE (P:q)<-[*]-(P:s)', 'MERGE (P:q)<-[*]-(Q:s)', 'DELETE (Q:s)']) {
    t.deepEqual(await ask(graph, text), { msg: ['success'], errcode: 0 }, text)
    t.deepEqual(await whole(), before, text)
  }
})

test.serial('of a log that delivers again, what moves keeps how far its feed has come', async (t) => {
  const other = create({ schemaOf: () => ({ name: 'lanes', redelivered: true }) })
  await other.make('lanes_graph')
  for (const [id, subject] of ['p', 's', 's'].entries()) {
    const ends = { subject: { label: 'P', name: subject }, object: { label: 'P', name: 'x' } }
    const line = tripleLine({ ...ends, relation: 'R', properties: [] }, id + 1)
    const rows = Buffer.from(line.replace('}\n', `,"_lane":7,"_position":${id}}\n`))
    await clickhouse.insert({ table: tripleInput('lanes_graph'), rows })
  }
  await other.answer({ graph: 'lanes_graph', text: 'MERGE (P:p)<-[*]-(P:s)' })
  const text = 'SELECT subject, _lane, _position FROM graph.lanes_graph_rel ORDER BY _position'
  t.deepEqual(
    await clickhouse.rows({ text, params: {} }),
    [0, 1, 2].map((position) => ({ subject: 'p', _lane: 7, _position: position })),
  )
  await other.close()
})
