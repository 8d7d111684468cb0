import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createClient } from '@clickhouse/client'
import test from 'ava'
import { ensureClickHouseConnect } from '../../../scripts/parts/clickhouse-connect.js'
import { type Analysts, startAnalysts } from '../../support/analysts.ts'

const silent = class {
  trace(): void {}
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(): void {}
}

const place = await ensureClickHouseConnect()
/** The client cannot be had everywhere: why is said by `ensureClickHouseConnect`, and CI does not go without. */
const python = place === undefined ? test.skip : test

let analysts: Analysts
test.before(async () => {
  analysts = await startAnalysts()
})
test.after.always(() => analysts?.close())

test('@clickhouse/client works unchanged', async (t) => {
  const client = createClient({
    url: analysts.url,
    database: 'air',
    compression: { response: true },
    log: { LoggerClass: silent },
  })
  t.teardown(() => client.close())
  t.deepEqual(await client.ping(), { success: true })
  t.true((await client.ping({ select: true })).success)
  const rows = await client.query({
    query: 'SELECT a, b FROM flights WHERE a = {a:Int64}',
    query_params: { a: 5 },
    format: 'JSONEachRow',
  })
  t.deepEqual(await rows.json(), [{ a: 5, b: '5' }])
  const whole = await (await client.query({ query: 'SELECT count() AS n FROM flights' })).json<{ n: number }>()
  t.deepEqual(whole.data, [{ n: 1000 }])
  let streamed = 0
  const stream = (await client.query({ query: 'SELECT number FROM numbers(500000)', format: 'CSV' })).stream()
  for await (const batch of stream) streamed += batch.length
  t.is(streamed, 500_000)
  const { query_id } = await client.query({ query: 'SELECT 1', query_id: 'mine' })
  t.is(query_id, 'mine')
  t.like(await t.throwsAsync(client.query({ query: 'SELECT nope' })), { code: '47', type: 'UNKNOWN_IDENTIFIER' })
  t.like(await t.throwsAsync(client.command({ query: 'DROP TABLE flights' })), { code: '164', type: 'READONLY' })
  t.like(await t.throwsAsync(client.insert({ table: 'flights', values: [{ a: 1, b: 'x' }], format: 'JSONEachRow' })), {
    code: '164',
  })
  const settled = await client.query({
    query: 'SELECT 12345678901234567890 AS n',
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0, max_execution_time: 5 },
  })
  t.is((await settled.text()).trim(), '{"n":12345678901234567890}')
})

test('@clickhouse/client is told of an error that comes half-way', async (t) => {
  const client = createClient({ url: analysts.url, log: { LoggerClass: silent } })
  t.teardown(() => client.close())
  const answer = await client.query({
    query: "SELECT number, throwIf(number = 600000, 'too far') FROM numbers(5000000)",
    format: 'JSONEachRow',
  })
  await t.throwsAsync(async () => {
    for await (const _ of answer.stream()) {
    }
  })
})

python('clickhouse-connect works unchanged', async (t) => {
  const { hostname, port } = new URL(analysts.url)
  const script = fileURLToPath(new URL('./clickhouse-connect.py', import.meta.url))
  const { stdout } = await promisify(execFile)('python3', [script, hostname, port], {
    env: { ...process.env, PYTHONPATH: place },
    timeout: 120_000,
  })
  const told = Object.assign(
    {},
    ...stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  )
  t.deepEqual(told, {
    server: [true, told.server[1]],
    count: 1000,
    rows: [
      [0, '0'],
      [1, '1'],
    ],
    types: [['2001-01-01 00:00:00.500000', [1, 2], { a: 1 }, '1.50', null, 'x', [1, 'a']]],
    parameters: [["it's \\ \n é", [1, 2]]],
    'bound by the client': [["a'b"]],
    settings: [['2001-01-01 00:00:00']],
    streamed: 300_000,
    raw: '"x"\n1\n',
    database: 1000,
    compression: [70_000, 70_000, 70_000, 70_000, 70_000],
    ping: true,
    tables: [['flights'], ['flights_by_60s']],
    refused: told.refused,
    insert: 'refused',
  })
  const codes = told.refused.map((text: string) => /^Code: (\d+)/.exec(text)?.[1])
  t.deepEqual(codes, ['47', '497', '497', '395'])
})
