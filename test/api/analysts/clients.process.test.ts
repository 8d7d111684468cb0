import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createClient } from '@clickhouse/client'
import test from 'ava'
import { ensureClickHouseGo, ensureDbt, ensureIbis, ensureJdbc } from '../../../scripts/parts/analysts-clients.js'
import { ensureClickHouseConnect } from '../../../scripts/parts/clickhouse-connect.js'
import { shortLived } from '../../../scripts/parts/short-lived-java.js'
import { type Analysts, startAnalysts } from '../../support/analysts.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const silent = class {
  trace(): void {}
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(): void {}
}

const [place, go, oldGo, jdbc, dbt, ibis] = await Promise.all([
  ensureClickHouseConnect(),
  ensureClickHouseGo('2.51'),
  ensureClickHouseGo('2.36'),
  ensureJdbc(),
  ensureDbt(),
  ensureIbis(),
])
/** A client cannot be had everywhere: why is said by its `ensure`, and CI does not go without. */
const having = (part: string | undefined) => (part === undefined ? test.skip : test)
const python = having(place)

const run = async (command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const options = { env: { ...process.env, ...env }, timeout: 120_000, maxBuffer: 2 ** 24 }
  return (await promisify(execFile)(command, args, options)).stdout.trim()
}
const lines = (text: string): Record<string, unknown> =>
  Object.assign({}, ...text.split('\n').map((line) => JSON.parse(line)))
const client = (name: string): string => fileURLToPath(new URL(`./clients/${name}`, import.meta.url))

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
    form: [["it's é"]],
    ping: true,
    tables: [['flights'], ['flights_by_60s']],
    refused: told.refused,
    insert: 'refused',
  })
  const codes = told.refused.map((text: string) => /^Code: (\d+)/.exec(text)?.[1])
  t.deepEqual(codes, ['47', '497', '497', '395'])
})

for (const [version, program] of [
  ['2.51', go],
  ['2.36', oldGo],
] as const) {
  having(program)(`clickhouse-go ${version} works unchanged over HTTP, with each of its compressions`, async (t) => {
    const codings = ['none', 'lz4', 'zstd', 'gzip', 'deflate', 'br']
    const told = lines(await run(program ?? '', [new URL(analysts.url).host, ...codings]))
    for (const coding of codings) {
      const [count, text, time, numbers, words, streamed, refused] = told[coding] as unknown[]
      const values = [count, text, time, numbers, words, streamed]
      t.deepEqual(values, [500, '0', '2001-01-01T00:00:00.5Z', '[1 2]', { a: 1 }, 300_000], coding)
      t.regex(String(refused), /^47$|Code: 47\. /, coding)
    }
  })
}

having(jdbc)('clickhouse-jdbc works unchanged, and its cancel() ends the query', async (t) => {
  const told = await run('java', [...shortLived, '-cp', `${jdbc}/*`, client('Jdbc.java'), new URL(analysts.url).host])
  t.deepEqual(told.split('\n'), [
    'count\t[1000]',
    'parameter\t[5]',
    'max rows\t10',
    'streamed\t200000',
    'tables\t[flights, flights_by_60s]',
    'columns\t[a, b]',
    'refused\t47',
    'cancelled\t394',
  ])
})

having(dbt)('dbt shows a model and tests a source', async (t) => {
  const { hostname, port } = new URL(analysts.url)
  const told = await run('python3', [client('dbt-client.py'), hostname, port, temporaryFolder()], {
    PYTHONPATH: dbt ?? '',
  })
  t.deepEqual(JSON.parse(told.split('\n').at(-1) ?? ''), {
    shown: [
      ['0', '143'],
      ['1', '143'],
    ],
    tested: ['pass'],
  })
})

having(ibis)('ibis works unchanged', async (t) => {
  const { hostname, port } = new URL(analysts.url)
  t.deepEqual(lines(await run('python3', [client('ibis-client.py'), hostname, port], { PYTHONPATH: ibis ?? '' })), {
    tables: ['flights', 'flights_by_60s'],
    whole: [
      [0, '0'],
      [1, '1'],
    ],
    groups: [
      ['0', 143],
      ['1', 143],
    ],
    arrow: 1000,
  })
})
