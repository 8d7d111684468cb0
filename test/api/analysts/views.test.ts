/** The views that analysts read are made when a statement first names their schema. */
import { join } from 'node:path'
import test from 'ava'
import { createDrainGate } from '../../../activities/registry/drain-gate.ts'
import { createRegistry } from '../../../activities/registry/registry.ts'
import { createAnalystViews, withViews } from '../../../activities/schemas/analyst-views.ts'
import { createMutex } from '../../../base/mutex.ts'
import type { SqlQuery, SqlRunner } from '../../../infra/clickhouse/analysts/sql-runner.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../infra/clickhouse/migrate.ts'
import { emptySummary } from '../../../infra/clickhouse/wire/whole-answer.ts'
import { createSchema } from '../../../sql/schema/ddl/schema.ts'
import { decodeSchema } from '../../../sql/schema/decode.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse') })
await migrate(clickhouse)
test.after.always(() => clickhouse.close())

const schemaOf = (name: string) =>
  decodeSchema({ schema: name, streams: [{ name: 'st', type: 1, attr: [{ name: 'a', type: 9, stat: 'COUNT' }] }] })

async function make(names: readonly string[], atOnce = false) {
  const registry = createRegistry()
  const views = createAnalystViews({ clickhouse, registry, exclusively: createMutex(), atOnce })
  for (const name of names) {
    const schema = schemaOf(name)
    for (const statement of createSchema(schema, views.of(schema))) await clickhouse.run(statement)
    registry.add({ schema, body: '', gate: createDrainGate(), streams: new Map() })
  }
  return views
}

async function viewsOf(schema: string): Promise<string[]> {
  const rows = await clickhouse.rows<{ name: string }>({
    text: "SELECT name FROM system.tables WHERE database = {schema:String} AND engine = 'View'",
    params: { schema },
  })
  return rows.map(({ name }) => name)
}

const query = (text: string, more: Partial<SqlQuery> = {}): SqlQuery => ({
  ...{ id: '1', text, body: Buffer.alloc(0), format: 'TSV', params: {}, settings: {} },
  ...more,
})

test('a schema has no view until a statement names it, and then that schema alone', async (t) => {
  const views = await make(['one', 'two'])
  await views.ready('SELECT 1')
  t.deepEqual(await viewsOf('one'), [])
  await views.ready('SELECT * FROM one.st_by_60s')
  t.deepEqual(await viewsOf('one'), ['st_by_60s'])
  t.deepEqual(await viewsOf('two'), [])
})

test('a statement that asks which tables there are finds the views of every schema', async (t) => {
  const views = await make(['three', 'four'])
  await views.ready('SELECT name FROM System.tables')
  t.deepEqual([...(await viewsOf('three')), ...(await viewsOf('four'))], ['st_by_60s', 'st_by_60s'])
})

test('a statement that tells of no table makes no views, and one of a bound key makes those of its own schemas', async (t) => {
  const views = await make(['ten', 'eleven'])
  for (const text of [
    'SELECT name, value FROM system.settings',
    "SELECT 'system' FROM system.numbers LIMIT 1",
    'SELECT tenth FROM t',
  ])
    await views.ready(text)
  t.deepEqual([...(await viewsOf('ten')), ...(await viewsOf('eleven'))], [])
  await views.ready('SELECT name FROM system.tables', {
    databases: new Set(['eleven']),
    graphs: new Set(),
    hides: () => true,
  })
  t.deepEqual([await viewsOf('ten'), await viewsOf('eleven')], [[], ['st_by_60s']])
})

test('the views of many schemas are made one schema at a time, so that what changes a schema gets in between', async (t) => {
  const registry = createRegistry()
  let turns = 0
  const exclusively = <Result>(work: () => Promise<Result>): Promise<Result> => {
    turns++
    return work()
  }
  const views = createAnalystViews({ clickhouse, registry, exclusively, atOnce: false })
  for (const name of ['twelve', 'thirteen']) {
    const schema = schemaOf(name)
    for (const statement of createSchema(schema, views.of(schema))) await clickhouse.run(statement)
    registry.add({ schema, body: '', gate: createDrainGate(), streams: new Map() })
  }
  await views.ready('SELECT name FROM system.tables')
  t.is(turns, 2)
  t.deepEqual([await viewsOf('twelve'), await viewsOf('thirteen')], [['st_by_60s'], ['st_by_60s']])
})

test('a schema may be named by the body, the database or a parameter of a query', async (t) => {
  const views = await make(['five', 'six', 'seven'])
  const seen: string[][] = []
  const runner: SqlRunner = {
    query: async ({ text }) => {
      seen.push(await viewsOf(text))
      return { format: 'TSV', output: (async function* () {})(), summary: () => emptySummary, cancel: () => {} }
    },
    timezone: async () => 'UTC',
    version: async () => '26.7.2.1',
    close: async () => {},
  }
  const { query: ask } = withViews(runner, { ready: (text) => views.ready(text.split('\n').slice(1).join('\n')) })
  await ask(query('five', { body: Buffer.from('SELECT * FROM five.st_by_60s') }))
  await ask(query('six', { database: 'six' }))
  await ask(query('seven', { params: { db: 'seven' } }))
  t.deepEqual(seen, [['st_by_60s'], ['st_by_60s'], ['st_by_60s']])
})

test('statements that come together find the views made', async (t) => {
  const views = await make(['eight'])
  await Promise.all([views.ready('eight'), views.ready('eight'), views.ready('eight')])
  t.deepEqual(await viewsOf('eight'), ['st_by_60s'])
})

test('on a server, which analysts ask by themselves, a schema has its views at once', async (t) => {
  await make(['nine'], true)
  t.deepEqual(await viewsOf('nine'), ['st_by_60s'])
})

test('the lines that a stream had rejected can be read before there are any, and after', async (t) => {
  const views = await make(['fourteen'])
  const text = 'SELECT line, reason FROM fourteen.st__rejected'
  await views.ready('SELECT * FROM fourteen.st')
  await t.throwsAsync(clickhouse.rows({ text, params: {} }))
  await Promise.all([views.ready(text), views.ready(text)])
  t.deepEqual(await clickhouse.rows({ text, params: {} }), [])
  await clickhouse.run("INSERT INTO fourteen.st__rejected (line, reason) VALUES ('{', 'no JSON')")
  await views.ready(text)
  t.deepEqual(await clickhouse.rows({ text, params: {} }), [{ line: '{', reason: 'no JSON' }])
})

test('on a server a start gives the views of an earlier version their present form', async (t) => {
  const views = await make(['fifteen'], true)
  const columns = () => clickhouse.rows<{ name: string }>({ text: 'DESCRIBE fifteen.st_by_60s', params: {} })
  const present = await columns()
  await clickhouse.run('CREATE OR REPLACE VIEW fifteen.st_by_60s AS SELECT 0 AS a_min')
  t.notDeepEqual(await columns(), present)
  await views.renew()
  t.deepEqual(await columns(), present)
})
