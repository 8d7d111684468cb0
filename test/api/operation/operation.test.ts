import test from 'ava'
import { type AcceptDeps, createAccept } from '../../../activities/ingest/accept.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

/** Inserts into ClickHouse wait for this. */
let held: Promise<void> | undefined
const service = await startService({}, silentLogger(), {
  clickhouse: (part) => ({
    ...part,
    insert: async (insertion) => {
      await held
      return part.insert(insertion)
    },
  }),
})
const { client } = service
test.after.always(() => service.close())

const streams = [{ name: 'st', type: 1, swsz: 0, attr: [{ name: 'n', type: 'LONG', stat: 'COUNT' }] }]

/** A sample of the metrics page, 0 where there is none. */
async function sample(name: string): Promise<number> {
  const { text } = await client.get('/metrics')
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1) ?? 0)
}

test('the probes answer, and tell of each part', async (t) => {
  t.deepEqual((await client.get('/health/live')).body, { status: 'live' })
  const ready = await client.get('/health/ready')
  t.is(ready.status, 200)
  t.like(ready.body, { status: 'ready', takes: true, answers: true })
  for (const part of Object.values(ready.body.parts)) t.like(part, { status: 'up', takes: true, answers: true })
  t.like(ready.body.parts, { clickhouse: { status: 'up', rejected_events: 0 }, log: { status: 'up', lag_ms: 0 } })
})

test('metrics count what was accepted, refused and asked, in the format that Prometheus reads', async (t) => {
  await client.register({ schema: 'm', streams })
  await client.event('m.st', { n: 1 })
  await client.lines('m.st', [{ n: 2 }, { n: 'x' }, { n: 3 }])
  await client.post('/stream/m/st', '{"n":"x"}')
  await client.post('/stream/m/st', '{')
  await client.count('select count(*) from m.st')
  const page = await client.get('/metrics')
  t.is(page.status, 200)
  t.regex(page.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  t.is(await sample('weir_events_accepted_total{stream="m.st"}'), 3)
  t.is(await sample('weir_events_refused_total{stream="m.st"}'), 3)
  await until('an empty log', async () => (await sample('weir_log_bytes')) === 0)
  await until('no lag', async () => (await sample('weir_log_lag_seconds')) === 0)
  t.true((await sample('weir_feeder_batch_rows_sum')) >= 3)
  t.regex(
    page.text,
    /weir_http_request_seconds_count\{method="POST",route="\/stream\/:schema\/:stream",status="200"\} \d+/,
  )
  t.regex(page.text, /^process_resident_memory_bytes \d+/m)
})

// Alone: it counts the events of the whole service.
test.serial('the figures have what was accepted and refused by stream, what waits, memory and disk', async (t) => {
  const before = (await client.get('/figures')).body
  await client.register({ schema: 'fig', streams })
  await client.lines('fig.st', [{ n: 1 }, { n: 'x' }, { n: 2 }])
  await until('an empty log', async () => (await client.get('/figures')).body.log.waiting_bytes === 0)
  const { body } = await client.get('/figures')
  t.is(body.events.accepted - before.events.accepted, 2)
  t.is(body.events.refused - before.events.refused, 1)
  const busiest: readonly { readonly stream: string; readonly events: number }[] = body.busiest
  t.is(busiest.find(({ stream }) => stream === 'fig.st')?.events, 2)
  t.deepEqual(body.log, { waiting_bytes: 0, lag_ms: 0 })
  t.true(body.started < body.now)
  t.true(body.memory.used_bytes > 0 && body.memory.used_bytes < body.memory.total_bytes)
  t.true(body.disk.free_bytes > 0 && body.disk.free_bytes <= body.disk.total_bytes)
})

test('the counts of a stream end with it', async (t) => {
  await client.register({ schema: 'gone', streams })
  await client.event('gone.st', { n: 1 })
  await client.post('/stream/gone/st', '{')
  t.is(await sample('weir_events_accepted_total{stream="gone.st"}'), 1)
  await client.ok(client.send('DELETE', '/stream/gone'))
  t.notRegex((await client.get('/metrics')).text, /stream="gone\.st"/)
})

// Alone: it counts all that are asked of the service.
test.serial('queries are timed by what they ask, also those that fail', async (t) => {
  await client.register({ schema: 'timed', streams })
  const timed = (form: string) => sample(`weir_query_seconds_count{form="${form}"}`)
  const before = await timed('aggregate')
  await client.ok(client.query('select aggr(n) from timed.st'))
  t.is((await client.query('select aggr(nothing) from timed.st')).status, 400)
  await client.ok(client.graph('timed.st', 's=>(*)-[*]->(*)'))
  t.is(await timed('aggregate'), before + 2)
  t.is(await timed('graph'), 1)
})

test('events by SQL insert count as posted ones do, and wait with them while the feeder is behind', async (t) => {
  await client.register({ schema: 'door', streams })
  await client.ok(client.query('insert into door.st values null {"n": 1}'))
  t.is((await client.query('insert into door.st values null {"n": "x"}')).status, 400)
  t.is(await sample('weir_events_accepted_total{stream="door.st"}'), 1)
  t.is(await sample('weir_events_refused_total{stream="door.st"}'), 1)

  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const taken: string[] = []
  const stream = { schema: { name: 's' }, stream: { name: 'st' }, on: true }
  const ingest = { one: async (body: Buffer) => taken.push(body.toString()) }
  const registry = {
    schema: () => ({ gate: { pass: (work: () => unknown) => work() } }),
    stream: () => ({ ...stream, ingest }),
  }
  const metrics = { eventsAccepted: { inc() {} }, eventsRefused: { inc() {} } }
  const accept = createAccept({
    registry,
    metrics,
    refusedEvents: { add: () => {} },
    feeder: { pace: () => held },
    arrivals: { begin: () => ({ advance() {}, end() {} }) },
  } as unknown as AcceptDeps)
  const asked = accept('s', 'st', { body: Buffer.from('{}'), isBatch: false })
  await new Promise((resolve) => setImmediate(resolve))
  t.deepEqual(taken, [])
  letGo()
  await asked
  t.deepEqual(taken, ['{}'])
})

test('a path that nobody serves makes no metric of its own', async (t) => {
  for (let index = 0; index < 20; index++) await client.get(`/secret/${index}`)
  t.false((await client.get('/metrics')).text.includes('/secret'))
})

/** Asks once: what would not see the events yet is a failure here. */
const once = (sql: string) => client.ok(client.send('POST', '/db/mydb/query', { sql }))

test('a query sees every event that was acknowledged before it, to any client', async (t) => {
  await client.register({ schema: 'own', streams })
  const clients = Array.from({ length: 8 }, async (_, id) => {
    for (let round = 1; round <= 15; round++) {
      await client.event('own.st', { n: id })
      const { retval: own } = await once(`select count(*) from own.st where n = ${id}`)
      if (own !== round) return `client ${id} round ${round}: ${own}`
      const [row] = (await once('select aggr(n) from own.st rollup 1')).rows
      const all = JSON.parse(String(row?.v)).aggr_val.cnt
      if (all < round) return `client ${id} round ${round}: ${all} of all`
    }
    return undefined
  })
  t.deepEqual(
    (await Promise.all(clients)).filter((problem) => problem !== undefined),
    [],
  )
})

test.serial(
  'an eventual query does not wait for events that are not in ClickHouse; any other waits, and is a 504 rather than miss them',
  async (t) => {
    const sql = 'select count(*) from late.st'
    const eventual = () => client.ok(client.send('POST', '/db/any/query?consistency=eventual', { sql }))
    await client.register({ schema: 'late', streams })
    let letGo = () => {}
    held = new Promise((resolve) => {
      letGo = resolve
    })
    try {
      await client.lines(
        'late.st',
        Array.from({ length: 1_000 }, (_, n) => ({ n })),
      )
      t.deepEqual(await eventual(), { retval: 0 })
      const missing = await client.send('POST', '/db/mydb/query', { sql })
      t.deepEqual([missing.status, missing.body.errcode], [504, -7])
    } finally {
      held = undefined
      letGo()
    }
    t.is(await client.count(sql), 1_000)
    t.deepEqual(await eventual(), { retval: 1_000 })
  },
)
