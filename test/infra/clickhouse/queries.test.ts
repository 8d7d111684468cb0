import { join } from 'node:path'
import test from 'ava'
import { Fault, type FaultKind } from '../../../base/faults.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { createQueries, type QueryClickHouse } from '../../../infra/clickhouse/queries.ts'
import type { QueryLimits } from '../../../infra/clickhouse/query-limits.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse') })
test.after.always(() => clickhouse.close())

const megabyte = 1024 * 1024
const limits: QueryLimits = { max: 2, time_s: 60, rows: 0 }
const endless = 'SELECT count() AS n FROM numbers(1000000000000) WHERE sleep(0.05) = 7'
const here = new AbortController().signal

const asking =
  (text: string) =>
  ({ rows }: QueryClickHouse): Promise<Record<string, unknown>[]> =>
    rows({ text, params: {} })

const running = async (): Promise<number> => {
  const text =
    "SELECT count() AS n FROM system.processes WHERE position(query, 'sleep(0.05)') > 0 AND position(query, 'processes') = 0"
  const [row] = await clickhouse.rows<{ n: number }>({ text, params: {} })
  return Number(row?.n)
}
const none = (): Promise<boolean> => running().then((count) => count === 0)

const faultOf = async (work: Promise<unknown>): Promise<Pick<Fault, 'kind' | 'message'>> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof Fault) return error
  throw new Error(`no fault: ${error}`)
}

test.serial('time, rows and memory of a query are bounded, and the fault names the setting', async (t) => {
  const cases: [statement: string, bounds: Partial<QueryLimits>, kind: FaultKind, message: RegExp][] = [
    [endless, { time_s: 1 }, 'late', /after 1 s \(MAX_QUERY_S\); ask for less at a time$/],
    ['SELECT sum(number) FROM numbers(2000000)', { rows: 1_000_000 }, 'invalid', /1000000 rows \(MAX_QUERY_ROWS\)/],
    [
      'SELECT length(groupArray(toString(number))) FROM numbers(3000000)',
      { bytes: 20 * megabyte },
      'invalid',
      /20 MB of memory \(MAX_QUERY_MB\)/,
    ],
  ]
  for (const [statement, bounds, kind, message] of cases) {
    const fault = await faultOf(createQueries(clickhouse, { ...limits, ...bounds }).run(here, asking(statement)))
    t.is(fault.kind, kind)
    t.regex(fault.message, message)
    await until('it is over', none)
  }
})

test.serial('one that changes something says that the change may be half done', async (t) => {
  const change = `INSERT INTO FUNCTION null('n UInt64') ${endless}`
  const fault = await faultOf(
    createQueries(clickhouse, { ...limits, time_s: 1 }).run(here, (own) => own.run({ text: change, params: {} })),
  )
  t.regex(fault.message, /after 1 s \(MAX_QUERY_S\); ask for less at a time. The change may be half done$/)
  await until('it is over', none)
})

test.serial('the time is that of all statements of a query together', async (t) => {
  const queries = createQueries(clickhouse, { ...limits, time_s: 2 })
  const started = performance.now()
  const fault = await faultOf(
    queries.run(here, async (own) => {
      for (;;) await asking('SELECT sleep(0.7)')(own)
    }),
  )
  t.is(fault.kind, 'late')
  t.true(performance.now() - started < 10_000)
})

test.serial('a query ends when its client goes away, while it runs and while it waits', async (t) => {
  const queries = createQueries(clickhouse, { ...limits, max: 1 })
  const clients = [new AbortController(), new AbortController()]
  const asked = clients.map(({ signal }) => faultOf(queries.run(signal, asking(endless))))
  await until('the first runs', async () => (await running()) === 1)
  const third = queries.run(here, asking('SELECT 3 AS three'))
  clients[1]?.abort()
  t.is((await asked[1])?.kind, 'abandoned')
  t.is(await running(), 1)
  clients[0]?.abort()
  const started = performance.now()
  t.is((await asked[0])?.kind, 'abandoned')
  t.deepEqual(await third, [{ three: 3 }])
  t.true(await none())
  t.true(performance.now() - started < 10_000)
})

test.serial('more than run at a time wait so long, and then are told', async (t) => {
  const queries = createQueries(clickhouse, { ...limits, max: 1, time_s: 1 })
  const asked = [1, 2].map(() => faultOf(queries.run(here, asking(endless))))
  t.is((await asked[0])?.kind, 'late')
  const refused = await asked[1]
  t.is(refused?.kind, 'limited')
  t.regex(refused?.message ?? '', /1 queries run already \(MAX_QUERIES\)/)
  await until('it is over', none)
  t.deepEqual(await queries.run(here, asking('SELECT 4 AS four')), [{ four: 4 }])
})

test.serial('the service has connections of its own while every place is taken', async (t) => {
  const queries = createQueries(clickhouse, { ...limits, max: 4 })
  const clients = Array.from({ length: 8 }, () => new AbortController())
  const asked = clients.map(({ signal }) => faultOf(queries.run(signal, asking(endless))))
  await until('four run', async () => (await running()) === 4)
  const started = performance.now()
  await clickhouse.run('CREATE DATABASE own')
  await clickhouse.run('CREATE TABLE own.t (a Int64) ENGINE = MergeTree ORDER BY a')
  await clickhouse.insert({ table: '`own`.`t`', rows: Buffer.from('{"a":1}\n') })
  t.deepEqual(await clickhouse.rows({ text: 'SELECT a FROM own.t', params: {} }), [{ a: 1 }])
  t.true(performance.now() - started < 15_000)
  for (const client of clients) client.abort()
  await Promise.all(asked)
  await until('all are over', none)
})

test.serial('a change that has begun is made, with its client or without; one that has not is not', async (t) => {
  await clickhouse.run('CREATE DATABASE changed')
  await clickhouse.run('CREATE TABLE changed.t (a UInt64) ENGINE = MergeTree ORDER BY a')
  const queries = createQueries(clickhouse, limits)
  const client = new AbortController()
  const slow =
    'INSERT INTO `changed`.`t` (a) SELECT number + sleepEachRow(0.3) FROM numbers(5) SETTINGS max_threads = 1'
  const asked = faultOf(
    queries.run(client.signal, async (own) => {
      await own.run({ text: slow, params: {} })
      await own.run({ text: 'INSERT INTO `changed`.`t` (a) SELECT 100', params: {} })
    }),
  )
  setTimeout(() => client.abort(), 500)
  t.is((await asked).kind, 'abandoned')
  const rows = () => clickhouse.rows<{ a: number }>({ text: 'SELECT a FROM changed.t ORDER BY a', params: {} })
  await until('the first change', async () => (await rows()).length === 5)
  await new Promise((resolve) => setTimeout(resolve, 200))
  t.deepEqual(
    (await rows()).map(({ a }) => a),
    [0, 1, 2, 3, 4],
  )
})
