import { createClient } from '@clickhouse/client'
import test from 'ava'
import { temporaryFolder } from '../temporary-folder.ts'
import { until } from '../until.ts'
import { startTestClickHouse, type TestClickHouse } from './clickhouse-server.ts'

let server: TestClickHouse
const account = { user: 'weir', password: 'p@ss word' }
const connect = (more = {}) =>
  createClient({ url: server.url, clickhouse_settings: { output_format_json_quote_64bit_integers: 1 }, ...more })

test.before(async () => {
  server = await startTestClickHouse({ folder: temporaryFolder(), ...account })
})
test.after.always(() => server?.stop())

test.serial('takes DDL, inserts and selects of @clickhouse/client', async (t) => {
  const client = connect()
  t.teardown(() => client.close())
  t.true((await client.ping()).success)
  await client.command({ query: 'CREATE DATABASE IF NOT EXISTS air' })
  await client.command({
    query:
      'CREATE TABLE air.f (a Int64, b String) ENGINE = MergeTree ORDER BY a SETTINGS non_replicated_deduplication_window = 100',
  })
  await client.insert({ table: 'air.f', values: [{ a: 1, b: 'x' }], format: 'JSONEachRow' })
  const rows = await (
    await client.query({
      query: 'SELECT * FROM air.f WHERE a = {a:Int64}',
      query_params: { a: 1 },
      format: 'JSONEachRow',
    })
  ).json()
  t.deepEqual(rows, [{ a: '1', b: 'x' }])
})

test.serial('a caller that kills a statement and waits for its end is not kept waiting', async (t) => {
  const client = connect({ request_timeout: 20_000 })
  t.teardown(() => client.close())
  await client.command({ query: 'CREATE TABLE filled (n UInt64) ENGINE = MergeTree ORDER BY n' })
  const filling = client.command({
    query: 'INSERT INTO filled SELECT number + sleepEachRow(0.01) FROM numbers(100000)',
    clickhouse_settings: { max_block_size: '10' },
  })
  const failed = t.throwsAsync(filling, { message: /cancelled/i })
  const [query, format] = [
    "SELECT 1 FROM system.processes WHERE query LIKE 'INSERT INTO filled%'",
    'JSONEachRow',
  ] as const
  const running = async () => (await (await client.query({ query, format })).json()).length
  await until('it runs', async () => (await running()) === 1)
  await client.command({ query: "KILL QUERY WHERE query LIKE 'INSERT INTO filled%' SYNC" })
  await failed
  t.is(await running(), 0)
})

test.serial('settings of a request end with it', async (t) => {
  const client = connect()
  t.teardown(() => client.close())
  for (let i = 0; i < 3; i++) {
    await client.insert({
      table: 'air.f',
      values: [{ a: 2, b: 'y' }],
      format: 'JSONEachRow',
      clickhouse_settings: { insert_deduplication_token: 'same', readonly: '0' },
    })
  }
  await t.throwsAsync(
    client.command({ query: 'CREATE TABLE air.g (a Int64) ENGINE = Memory', clickhouse_settings: { readonly: '1' } }),
    { message: /readonly/ },
  )
  await client.insert({
    table: 'air.f',
    values: [
      { a: 3, b: 'z' },
      { a: 3, b: 'z' },
    ],
    format: 'JSONEachRow',
  })
  const rows = await (
    await client.query({ query: 'SELECT a, count() AS n FROM air.f GROUP BY a ORDER BY a', format: 'JSONEachRow' })
  ).json()
  t.deepEqual(rows, [
    { a: '1', n: '1' },
    { a: '2', n: '1' },
    { a: '3', n: '2' },
  ])
})

test.serial('a blank line in the data of an insert does not run as SQL', async (t) => {
  const url = new URL(server.url)
  const headers = { 'X-ClickHouse-User': account.user, 'X-ClickHouse-Key': account.password }
  const query = encodeURIComponent('INSERT INTO air.f FORMAT JSONEachRow')
  await fetch(`${url.origin}/?query=${query}`, {
    method: 'POST',
    headers,
    body: '{"a":4,"b":"q"}\n\nDROP TABLE air.f\n',
  })
  const client = connect()
  t.teardown(() => client.close())
  const rows = await (await client.query({ query: 'EXISTS TABLE air.f', format: 'JSONEachRow' })).json()
  t.deepEqual(rows, [{ result: 1 }])
})

test.serial('a wrong password is refused, an error has its code', async (t) => {
  const client = connect({ url: server.url.replace(/:[^:]*@/, ':other@') })
  t.teardown(() => client.close())
  t.like(await t.throwsAsync(client.query({ query: 'SELECT 1' })), { code: '516' })
  const right = connect()
  t.teardown(() => right.close())
  t.like(await t.throwsAsync(right.query({ query: 'SELECT * FROM nowhere.nothing' })), { code: '81' })
})

test.serial('statements run side by side, and data is there after a restart', async (t) => {
  const client = connect({ max_open_connections: 20 })
  t.teardown(() => client.close())
  await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      client.insert({ table: 'air.f', values: [{ a: 100 + i, b: '' }], format: 'JSONEachRow' }),
    ),
  )
  await server.kill()
  await server.restart()
  const rows = await (
    await client.query({ query: 'SELECT count() AS n FROM air.f WHERE a >= 100', format: 'JSONEachRow' })
  ).json()
  t.deepEqual(rows, [{ n: '40' }])
})
