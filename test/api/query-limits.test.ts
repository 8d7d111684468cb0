/** The limits of clients' queries, and the requests that go on beside them. */
import { request } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'
import test from 'ava'
import type { ClickHouse, Question } from '../../infra/clickhouse/clickhouse.ts'
import { silentLogger } from '../../infra/logger.ts'
import { type RunningService, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const schema = {
  schema: 'q',
  streams: [
    {
      name: 'st',
      type: 1,
      swsz: 0,
      attr: [
        { name: 'n', type: 'LONG', stat: 'RSTAT' },
        { name: 'who', type: 'STRING' },
      ],
    },
  ],
}

/** Asked in the place of clients' statements that have `slowly` in them. */
const endless = 'SELECT count() AS count FROM numbers(1000000000000) WHERE sleep(0.05) = 9'
const slowly = "select count(*) from q.st where who = 'slowly'"

let real: ClickHouse
let service: RunningService

/** Statements about schema `sixty`. */
let numAsked = 0

const slowed = ({ within, ...statement }: Question): Question =>
  Object.values(statement.params).includes('slowly')
    ? { text: endless, params: {}, ...(within && { within: { ...within, rows: 0 } }) }
    : { ...statement, ...(within && { within }) }

test.before(async () => {
  service = await startService({ MAX_QUERIES: '2', MAX_QUERY_S: '3', MAX_QUERY_ROWS: '1000' }, silentLogger(), {
    clickhouse: (part) => {
      real = part
      const rows: ClickHouse['rows'] = <Row>(statement: Question<Row>) => {
        if (statement.text.includes('sixty')) numAsked++
        return part.rows<Row>(slowed(statement))
      }
      return { ...part, rows }
    },
  })
  await service.client.register(schema)
})
test.after.always(() => service?.close())

const running = async (): Promise<number> => {
  const text =
    "SELECT count() AS n FROM system.processes WHERE position(query, 'sleep(0.05)') > 0 AND position(query, 'processes') = 0"
  const [row] = await real.rows<{ n: number }>({ text, params: {} })
  return Number(row?.n)
}
const none = (): Promise<boolean> => running().then((count) => count === 0)
const ask = (sql: string) => service.client.send('POST', '/db/mydb/query', { sql })

/** A query whose client can go away. */
function leaving(sql: string): () => void {
  const asked = request(`${service.url}/db/mydb/query`, { method: 'POST' })
  asked.on('error', () => {})
  asked.end(JSON.stringify({ sql }))
  return () => asked.destroy()
}

test.serial('a query that takes too long is a 504 and ends in ClickHouse', async (t) => {
  const started = performance.now()
  const answer = await ask(slowly)
  t.deepEqual([answer.status, answer.body.errcode], [504, -7])
  t.regex(answer.body.error[0], /stopped after 3 s \(MAX_QUERY_S\)/)
  t.true(performance.now() - started < 15_000)
  await until('it is over', none)
  t.regex((await service.client.get('/metrics')).text, /^weir_limits_hit_total\{setting="MAX_QUERY_S"\} 1$/m)
})

test.serial('a query ends when its client goes away, and so does one that waits in line', async (t) => {
  const leave = [slowly, slowly, slowly].map(leaving)
  await until('two run', async () => (await running()) === 2)
  const waiting = ask('select count(*) from q.st')
  for (const each of leave) each()
  await until('they are over', none, 5_000)
  t.is((await waiting).status, 200)
  t.is(await running(), 0)
})

test.serial('while every place is taken events, schemas and probes go on; queries wait and are told', async (t) => {
  const taken = [ask(slowly), ask(slowly)]
  await until('two run', async () => (await running()) === 2)
  // A query may wait for as long as the first may run: these come later, so that they get the places.
  await after(700)
  const waiting = [ask(slowly), ask(slowly)]
  await after(700)
  const last = ask('select count(*) from q.st')
  t.is((await service.client.get('/health/ready')).status, 200)
  await service.client.register({ ...schema, schema: 'beside' })
  await service.client.event('q.st', { n: 1, who: 'someone' })
  t.is((await service.client.get('/health/ready')).status, 200)
  t.deepEqual(
    (await Promise.all(taken)).map(({ status }) => status),
    [504, 504],
  )
  const refused = await last
  t.deepEqual([refused.status, refused.body.errcode], [503, -6])
  t.regex(refused.body.error[0], /2 queries run already \(MAX_QUERIES\)/)
  t.regex(refused.headers.get('retry-after') ?? '', /^\d+$/)
  await Promise.all(waiting)
  await until('they are over', none)
  t.is((await ask('select count(*) from q.st')).body.retval, 1)
})

test.serial(
  'one that reads more rows than it may is a 400 that names the setting; one that need not is answered',
  async (t) => {
    const { client } = service
    await client.lines(
      'q.st',
      Array.from({ length: 20_000 }, (_, n) => ({ n, who: 'many' })),
    )
    t.is(await client.count('select count(*) from q.st'), 20_001)
    for (const sql of ["select count(*) from q.st where who = 'x'", "select * from q.st where who = 'x'"]) {
      const answer = await ask(sql)
      t.deepEqual([answer.status, answer.body.errcode], [400, -1], sql)
      t.regex(answer.body.error[0], /more than 1000 rows \(MAX_QUERY_ROWS\)/)
    }
    const [row] = await client.rows('select aggr(n) from q.st rollup 1')
    t.is(JSON.parse(String(row?.v)).aggr_val.cnt, 20_001)
  },
)

test.serial(
  'the streams of a schema are counted together, and one by one where that is more than one may read',
  async (t) => {
    const { client } = service
    const streams = Array.from({ length: 60 }, (_, n) => ({
      ...{ name: `st${n}`, type: 1, swsz: 86_400 },
      attr: [{ name: 'n', type: 'LONG' }],
    }))
    await client.register({ schema: 'sixty', streams })
    const info = () => client.ok(client.get('/stream/sixty/info'))
    const counts = async () => (await info()).streams.map(({ num_events }: { num_events: number }) => num_events)
    const before = numAsked
    t.deepEqual(await counts(), Array(60).fill(0))
    t.true(numAsked - before < 20, String(numAsked - before))
    const events = Array.from({ length: 600 }, (_, n) => ({ n }))
    for (const name of ['st3', 'st50']) await client.lines(`sixty.${name}`, events)
    t.deepEqual(
      await counts(),
      streams.map(({ name }) => (name === 'st3' || name === 'st50' ? 600 : 0)),
    )
  },
)

test.serial('statements on tables, deletes and lists are queries, too', async (t) => {
  const { client } = service
  await client.ok(client.post('/db/d/table', { table_name: 't', table_type: 'WIDE', key_type: 'NORMAL_KEY_LONG' }))
  await client.ok(client.post('/db/d/t/doc', { _pk: 1, doc: { a: 1 } }))
  await client.ok(client.post('/db/d/t/doc', { _pk: 2, doc: { a: 2 } }))
  const taken = [ask(slowly), ask(slowly)]
  await until('two run', async () => (await running()) === 2)
  let answered = 0
  const answers = [
    client.send('POST', '/db/d/query', { sql: 'select * from t' }),
    client.send('POST', '/db/d/query', { sql: 'delete from t where a = 1' }),
    client.get('/db/d/t?key=2'),
    client.get('/db/d/list/1'),
    client.get('/stream/q/info'),
    client.get('/stream/q/st/count'),
    client.post('/stream/q/st/graph/query', 's=>(A:*)-[B]->(C:*)'),
    client.send('POST', '/stream/usage', { sql: 'select usage from weir_stream' }),
  ].map((asked) => asked.finally(() => answered++))
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  t.is(answered, 0)
  await Promise.all(taken)
  t.deepEqual(
    (await Promise.all(answers)).filter(({ status }) => ![200, 503].includes(status)).map(({ text }) => text),
    [],
  )
  await until('they are over', none)
  t.is((await client.get('/db/d/t?key=2')).status, 200)
})

test.serial(
  'a record is written at once while deletes of its table wait for a place, and they end in their turn',
  async (t) => {
    const { client } = service
    await client.ok(client.post('/db/d/table', { table_name: 'w', table_type: 'WIDE', key_type: 'NORMAL_KEY_LONG' }))
    await client.ok(client.post('/db/d/w/doc', { _pk: 1, doc: { a: 1 } }))
    const taken = [ask(slowly), ask(slowly)]
    await until('two run', async () => (await running()) === 2)
    // They may wait for as long as the first may run, and so come later.
    await after(700)
    const changes = [1, 2, 3].map((a) => client.send('POST', '/db/d/query', { sql: `delete from w where a = ${a}` }))
    changes.push(client.send('POST', '/db/d/query', { sql: 'update w set val = {"a": 9} where a = 4' }))
    await after(300)
    for (let n = 2; n < 5; n++) await client.ok(client.post('/db/d/w/doc', { _pk: n, doc: { a: n } }))
    t.is(await running(), 2, 'they were written while both places were taken')
    await Promise.all(taken)
    const answers = await Promise.all(changes)
    t.deepEqual(
      answers.map(({ body }) => body.retval),
      [1, 1, 1, 1],
    )
    t.deepEqual(await client.documents('select * from d.w'), [{ _pk: 4, _v: 1, a: 9 }])
  },
)

test.serial('an aggregate reads intervals and not events: a hundred thousand cost what ten thousand do', async (t) => {
  t.timeout(300_000)
  const { client } = service
  const attr = [
    { name: 'n', type: 'LONG', stat: 'RSTAT' },
    { name: 'who', type: 'STRING', stat: 'UCOUNT' },
  ]
  const gpby = [{ gpat: ['who'], iatr: 'n', stat: 'RSTAT' }]
  const enty = [
    { name: 'e', opid: 3, ratr: ['n'], iatr: ['n'], pkatr: [{ name: 'id', type: 5, iatr: ['who'] }], rstm: 'people' },
  ]
  const people = { name: 'people', type: 4, inpt: ['st'], attr: [] }
  await client.register({ schema: 'many', streams: [{ name: 'st', type: 1, swsz: 0, attr, gpby, enty }, people] })
  const minute_us = 60_000_000
  const start_us = 28_333_333 * minute_us
  const span = `where st >= ${start_us} and et <= ${start_us + 3 * minute_us - 1}`
  let sent = 0
  for (const goal of [10_000, 100_000]) {
    for (; sent < goal; sent += 10_000) {
      const event = (_: unknown, i: number) => ({
        _pk: start_us + ((sent + i) % 3) * minute_us,
        n: sent + i,
        who: `w${i % 3}`,
      })
      await client.lines('many.st', Array.from({ length: 10_000 }, event))
    }
    const [row] = await client.rows('select aggr(n) from many.st rollup 1')
    t.is(JSON.parse(String(row?.v)).aggr_val.cnt, goal)
    t.is((await client.rows(`select aggr(n) from many.st ${span}`)).length, 3)
    t.is((await client.rows(`select aggr(who) from many.st ${span}`)).length, 3)
    t.is((await client.rows('select aggr(n) from many.st groupby who')).length, 3)
    t.is((await client.rows('select * from many.people')).length, 3)
    const events = await client.query("select count(*) from many.st where who = 'w1'")
    t.is(events.status, 400)
    t.regex(events.body.error[0], /MAX_QUERY_ROWS/)
  }
})
