/** The client of a ClickHouse server, against a server that does to it what servers do. */
import test from 'ava'
import { type ClickHouse, ClickHouseError } from '../../../../infra/clickhouse/clickhouse.ts'
import { createServerClickHouse, type ServerOptions } from '../../../../infra/clickhouse/server/client.ts'
import { createPatient } from '../../../../infra/clickhouse/server/patient.ts'
import { createLogger } from '../../../../infra/logger.ts'
import { startTestClickHouse, type TestClickHouse } from '../../../support/clickhouse/clickhouse-server.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { until } from '../../../support/until.ts'

/** Whatever Weir says itself it says against these. */
const profile = [
  '--async_insert=1',
  '--wait_for_async_insert=0',
  '--insert_deduplicate=0',
  '--max_insert_block_size=100',
  '--min_insert_block_size_rows=100',
  '--min_insert_block_size_bytes=1000',
  '--max_insert_threads=4',
  '--parallel_view_processing=1',
  '--output_format_json_quote_64bit_integers=1',
]

/** For a machine that is busy with other work. */
const patience_ms = 120_000

let server: TestClickHouse
const clients: ClickHouse[] = []
test.before(async () => {
  server = await startTestClickHouse({ folder: temporaryFolder(), progress_ms: 20, profile })
})
test.afterEach.always(() => server.clearFaults())
test.after.always(async () => {
  for (const client of clients) await client.close()
  await server?.kill()
})

function connect(options: Partial<ServerOptions> = {}): ClickHouse {
  const client = createServerClickHouse({
    url: server.url,
    readTimeout_ms: patience_ms,
    insertTimeout_ms: patience_ms,
    ...options,
  })
  clients.push(client)
  return client
}

const within = (time_s: number) => ({ signal: new AbortController().signal, time_s, rows: 0 })
const reading = (milliseconds: number): string =>
  `SELECT sum(sleepEachRow(0.005)) FROM numbers(${milliseconds / 5}) SETTINGS max_block_size = 1`

async function errorOf(work: Promise<unknown>): Promise<ClickHouseError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof ClickHouseError) return error
  throw new Error(`no error of ClickHouse: ${error}`)
}

const numbers = (count: number, from = 0): Buffer =>
  Buffer.from(Array.from({ length: count }, (_, i) => `{"n":${from + i}}\n`).join(''))

async function makeTables(clickhouse: ClickHouse, name: string): Promise<string> {
  const merges = 'SETTINGS non_replicated_deduplication_window = 100'
  await clickhouse.run(`CREATE TABLE ${name}__in (n Int64) ENGINE = Null`)
  for (const target of [name, `${name}__too`]) {
    await clickhouse.run(`CREATE TABLE ${target} (n Int64) ENGINE = MergeTree ORDER BY n ${merges}`)
    await clickhouse.run(`CREATE MATERIALIZED VIEW ${target}__mv TO ${target} AS SELECT n FROM ${name}__in`)
  }
  return `${name}__in`
}

async function counts(clickhouse: ClickHouse, name: string): Promise<readonly [number, number]> {
  const text = `SELECT (SELECT count() FROM ${name}) AS a, (SELECT count() FROM ${name}__too) AS b`
  const [row] = await clickhouse.rows<{ a: number; b: number }>({ text, params: {} })
  return [row?.a ?? Number.NaN, row?.b ?? Number.NaN]
}

test.serial('a query that is stopped once the server has told progress says by its code why', async (t) => {
  const clickhouse = connect()
  const question = { text: reading(60_000), params: {}, within: within(1) }
  t.is((await errorOf(clickhouse.read(question, 'JSONEachRow'))).code, 159)
  t.is((await errorOf(clickhouse.run(question))).code, 159)
})

test.serial('a statement that fails once the server has told progress has not succeeded', async (t) => {
  const clickhouse = connect()
  await clickhouse.run('CREATE TABLE late (n UInt8) ENGINE = Memory')
  const failing = `INSERT INTO late SELECT throwIf(number = 200) + sleepEachRow(0.005) FROM numbers(400) SETTINGS max_block_size = 1`
  t.is((await errorOf(clickhouse.run(failing))).code, 395)
})

test.serial('a long statement that told progress gives its whole answer', async (t) => {
  const answer = await connect().read({ text: reading(500), params: {}, within: within(120) }, 'TSV')
  t.is(answer.toString('utf8'), '0\n')
})

test.serial('an answer is whole wherever its bytes are cut, and one that breaks off is the error in it', async (t) => {
  const clickhouse = connect()
  const text = "SELECT number AS n, 'äöü' AS s FROM numbers(50000)"
  const whole = await clickhouse.rows<{ n: number }>({ text, params: {} })
  t.deepEqual([whole.length, whole.at(-1)], [50_000, { n: 49_999, s: 'äöü' } as never])
  for (const bounds of [undefined, within(120)]) {
    await server.fault({ does: 'break', code: 241, name: 'MEMORY_LIMIT_EXCEEDED', matching: 'numbers(50000)' })
    const asked = clickhouse.rows({ text, params: {}, ...(bounds && { within: bounds }) })
    t.is((await errorOf(asked)).code, 241)
  }
})

test.serial('packed with gzip, statements, rows and answers are the same, and what fails has its code', async (t) => {
  const packing = connect({ url: `${server.url}/?compression_request=1&compression_response=1` })
  const table = await makeTables(packing, 'packed')
  await packing.insert({ table, rows: numbers(5_000), token: 'first' })
  const question = { text: 'SELECT n, repeat(toString(n), 20) AS s FROM packed ORDER BY n', params: {} }
  const answer = await packing.read(question, 'JSONEachRow')
  t.true(answer.equals(await connect().read(question, 'JSONEachRow')))
  t.is(answer.toString('utf8').split('\n').length, 5_001)
  t.is((await errorOf(packing.rows({ text: 'SELECT * FROM nowhere', params: {} }))).code, 60)
  t.is((await errorOf(packing.insert({ table, rows: Buffer.from('{"n":"no"}\n') }))).code, 27)
  await server.fault({ does: 'break', code: 241, name: 'MEMORY_LIMIT_EXCEEDED', matching: 'FROM packed' })
  t.is((await errorOf(packing.read(question, 'JSONEachRow'))).code, 0)
  const long = { text: reading(60_000), params: {}, within: within(1) }
  t.is((await errorOf(packing.read(long, 'JSONEachRow'))).code, 159)
  t.is((await errorOf(packing.run(long))).code, 159)
})

test.serial('an insert is repeated under its token and counts once, whatever became of the connection', async (t) => {
  const clickhouse = connect()
  const table = await makeTables(clickhouse, 'once')
  const insertion = { table, rows: numbers(5_000), token: 'first' }
  for (const does of ['close', 'lose', 'lose'] as const) {
    await server.fault({ does, matching: 'INSERT' })
    t.is((await errorOf(clickhouse.insert(insertion))).code, 0, does)
  }
  await clickhouse.insert(insertion)
  t.deepEqual(await counts(clickhouse, 'once'), [5_000, 5_000])
  await clickhouse.insert({ table, rows: numbers(5_000), token: 'second' })
  t.deepEqual(await counts(clickhouse, 'once'), [10_000, 10_000])
})

test.serial('a read whose time is over ends in the server as well', async (t) => {
  const clickhouse = connect({ readTimeout_ms: 500 })
  const question = { text: reading(120_000), params: {} }
  t.is((await errorOf(clickhouse.read(question, 'TSV'))).code, 0)
  const text =
    "SELECT count() AS n FROM system.processes WHERE query LIKE '%numbers(24000)%' AND query NOT LIKE '%processes%'"
  const patient = connect()
  await until('its end', async () => (await patient.rows<{ n: number }>({ text, params: {} }))[0]?.n === 0, patience_ms)
  t.pass()
})

test.serial(
  'what a server refuses for now is asked again while a process starts, and is told at once later',
  async (t) => {
    const { clickhouse, failFast } = createPatient(connect(), createLogger('silent'))
    for (const [code, name] of [
      [201, 'QUOTA_EXCEEDED'],
      [202, 'TOO_MANY_SIMULTANEOUS_QUERIES'],
    ] as const) {
      await server.fault({ does: 'refuse', code, name })
      t.deepEqual(await clickhouse.rows({ text: 'SELECT 3 AS n', params: {} }), [{ n: 3 }])
    }
    failFast()
    await server.fault({ does: 'refuse', code: 202, name: 'TOO_MANY_SIMULTANEOUS_QUERIES' })
    t.is((await errorOf(clickhouse.rows({ text: 'SELECT 3 AS n', params: {} }))).code, 202)
  },
)
