/** Starts over Kafka: events are taken before ClickHouse's consumers are there, and each is counted once. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { freePort } from '../../../scripts/processes/ports.js'
import { brokerOfRun, startTestKafka, withKafka } from '../../support/parts/kafka.ts'
import { killServices, type ServiceProcess, spawnService } from '../../support/process.ts'
import { rounds } from '../../support/random/seed.ts'
import type { Client } from '../../support/requests/client.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

test.after.always(killServices)

const streamsOfEach = 3
const names = Array.from({ length: rounds(6, 3) }, (_, n) => `start${n}`)
const queues = names.flatMap((name) => Array.from({ length: streamsOfEach }, (_, n) => `${name}.s${n}`))
const schemaOf = (schema: string, more: readonly object[] = []) => ({
  schema,
  streams: Array.from({ length: streamsOfEach }, (_, n) => ({
    name: `s${n}`,
    type: 1,
    swsz: 0,
    attr: [{ name: 'id', type: 'LONG', stat: 'RSTAT' }, ...more],
  })),
})

/**
 * Asserts that it took less than `own_ms`, or less than that and `times` a start without a broker. Such a start is made only where
 * it is needed.
 */
async function assertSoon(
  t: ExecutionContext,
  what: string,
  took_ms: number,
  own_ms: number,
  times: number,
): Promise<void> {
  if (took_ms < own_ms) return
  const service = await spawnService({ DATA_DIR: temporaryFolder() })
  await service.end('SIGKILL')
  const bare_ms = service.started_ms
  t.true(took_ms < own_ms + times * bare_ms, `${what} after ${took_ms} ms, a start without a broker took ${bare_ms} ms`)
}

const until200 = (what: string, ask: () => Promise<{ status: number }>, within_ms: number): Promise<boolean> =>
  until(what, async () => (await ask().catch(() => undefined))?.status === 200, within_ms)

let ids = 0
type Ids = Map<string, number[]>

async function post(client: Client, queue: string, acknowledged: Ids): Promise<number> {
  const id = ++ids
  const { status } = await client.post(`/stream/${queue.replace('.', '/')}`, { id })
  if (status === 200) acknowledged.set(queue, [...(acknowledged.get(queue) ?? []), id])
  return status
}

const isWhole = async (t: ExecutionContext, client: Client, acknowledged: Ids): Promise<void> => {
  for (const [queue, sent] of acknowledged) {
    const there = (await client.documents(`select * from ${queue}`)).map(({ id }) => Number(id))
    t.is(new Set(there).size, there.length, `an event of ${queue} is there twice`)
    t.deepEqual(
      sent.filter((id) => !there.includes(id)),
      [],
      `an acknowledged event of ${queue} is lost`,
    )
    const [row] = await client.rows(`select aggr(id) from ${queue} rollup 1`)
    t.is(JSON.parse(String(row?.v)).aggr_val.cnt, there.length, queue)
  }
}

withKafka(
  'a start over Kafka takes events at once and answers all of many streams soon, after a kill and after a stop, each event once',
  async (t) => {
    t.timeout(900_000)
    const settings = { DATA_DIR: temporaryFolder(), ...(await brokerOfRun()).settings }
    let service: ServiceProcess = await spawnService(settings)
    t.teardown(() => service.end('SIGKILL'))
    for (const name of names) await service.client.register(schemaOf(name))
    const acknowledged: Ids = new Map()
    for (const queue of queues) t.is(await post(service.client, queue, acknowledged), 200)
    await isWhole(t, service.client, acknowledged)

    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      // Some are on their way when it ends.
      const posting = Promise.all(queues.map((queue) => post(service.client, queue, acknowledged).catch(() => 0)))
      await sleep(20)
      await service.end(signal)
      await posting
      const began = performance.now()
      service = await spawnService(settings)
      const { client } = service
      const last = queues.at(-1) ?? ''
      await until('an event is taken', async () => (await post(client, last, acknowledged)) === 200, 60_000)
      const taken_ms = performance.now() - began
      for (const queue of queues) {
        await until200(
          queue,
          () => client.send('POST', '/db/mydb/query', { sql: `select count(*) from ${queue}` }),
          90_000,
        )
      }
      const answered_ms = performance.now() - began
      await assertSoon(t, `${signal}: taken`, taken_ms, 3_000, 3)
      await assertSoon(t, `${signal}: answered`, answered_ms, 20_000, 8)
      await until200('it is ready to answer', () => client.get('/health/ready?for=answers'), 60_000)
      await isWhole(t, client, acknowledged)
    }
  },
)

/** Tables by which ClickHouse reads the topics of schemas itself, in a folder. */
const tablesIn = (folder: string, schemas: readonly string[]): string[] =>
  schemas.flatMap((name) =>
    readdirSync(join(folder, 'clickhouse', 'metadata', name)).filter((file) => /^s\d__topic\.sql$/.test(file)),
  )

const rest = ['rest0', 'rest1', 'rest2']
const amid = ['amid0', 'amid1', 'amid7', 'amid8', 'amid9']

/**
 * A service with streams at rest and others that was killed and started again; some schemas were changed as soon as it was up. It
 * was killed before as well, when all of its streams were at rest.
 */
async function startedAgain(t: ExecutionContext) {
  const folder = temporaryFolder()
  const settings = { DATA_DIR: folder, ...(await brokerOfRun()).settings }
  const first = await spawnService(settings)
  for (const name of rest) await first.client.register(schemaOf(name))
  const acknowledged = { rest: new Map() as Ids, amid: new Map() as Ids }
  for (const name of rest) t.is(await post(first.client, `${name}.s0`, acknowledged.rest), 200)
  await isWhole(t, first.client, acknowledged.rest)
  await first.end('SIGKILL')

  const before = await spawnService(settings)
  await until200('it is ready to answer', () => before.client.get('/health/ready?for=answers'), 60_000)
  t.deepEqual(tablesIn(folder, rest), [], 'where all streams are at rest a start attaches no consumer')
  await isWhole(t, before.client, acknowledged.rest)
  t.is(await post(before.client, 'rest0.s1', acknowledged.rest), 200)
  await isWhole(t, before.client, acknowledged.rest)
  for (const name of amid) await before.client.register(schemaOf(name))
  for (const name of amid) await post(before.client, `${name}.s0`, acknowledged.amid)
  await before.end('SIGKILL')

  const { client, end } = await spawnService(settings)
  const [edited, gone, made] = await Promise.all([
    client.send('PUT', '/stream', schemaOf('amid7', [{ name: 'more', type: 'STRING' }])),
    client.send('DELETE', '/stream/amid9'),
    client.post('/stream', schemaOf('amid10')),
    client.send('DELETE', '/stream/amid8/s2'),
  ])
  return { folder, client, end, acknowledged, edited, gone, made }
}

let starting: ReturnType<typeof startedAgain> | undefined
let users = 2

/** One for both tests that ask for it, ended with the second: its readers would go on beside the tests that take longer. */
async function again(t: ExecutionContext) {
  starting ??= startedAgain(t)
  t.teardown(async () => {
    if (--users === 0) await (await starting)?.end('SIGKILL')
  })
  return await starting
}

withKafka(
  'streams at rest, before a start and behind it, take events as they come, and keep no table of Kafka',
  async (t) => {
    t.timeout(600_000)
    const { folder, client, acknowledged: all } = await again(t)
    const acknowledged = all.rest
    await until200('it is ready to answer', () => client.get('/health/ready?for=answers'), 60_000)
    await isWhole(t, client, acknowledged)
    t.is((await client.get('/stream/rest0/info')).status, 200)
    t.is(await post(client, 'rest1.s0', acknowledged), 200)
    t.is(await post(client, 'rest2.s1', acknowledged), 200)
    await isWhole(t, client, acknowledged)
    // No query waits for this one.
    t.is(await post(client, 'rest0.s0', acknowledged), 200)
    const eventual = { sql: 'select count(*) from rest0.s0' }
    await until(
      'it is seen',
      async () => (await client.send('POST', '/db/mydb/query?consistency=eventual', eventual)).body.retval === 2,
      30_000,
    )
    await isWhole(t, client, acknowledged)
    t.deepEqual(tablesIn(folder, rest), [])
  },
)

withKafka('schemas are edited, deleted and registered while a start attaches the consumers of others', async (t) => {
  t.timeout(900_000)
  const { client, acknowledged: all, edited, gone, made } = await again(t)
  const acknowledged = all.amid
  const kept = amid.filter((name) => !['amid8', 'amid9'].includes(name))
  t.deepEqual([edited.status, gone.status, made.status], [200, 200, 200], `${edited.text} ${gone.text} ${made.text}`)
  for (const name of [...kept, 'amid10']) {
    await until('it is taken', async () => (await post(client, `${name}.s0`, acknowledged)) === 200, 60_000)
  }
  await until200('it is ready to answer', () => client.get('/health/ready?for=answers'), 90_000)
  acknowledged.delete('amid9.s0')
  await isWhole(t, client, acknowledged)
  const { body } = await client.get('/health/ready')
  t.is(body.parts.schemas.status, 'up', JSON.stringify(body))
  t.is((await client.get('/stream/amid9/info')).status, 404)
  t.is((await client.post('/stream', schemaOf('amid9'))).status, 200)
  t.is(await client.count('select count(*) from amid9.s0'), 0)
})

withKafka('a broker that was never reached is failing, and takes events by itself once it is there', async (t) => {
  t.timeout(600_000)
  const port = await freePort()
  const { client, end, errors } = await spawnService({
    DATA_DIR: temporaryFolder(),
    KAFKA_BROKERS: `127.0.0.1:${port}`,
  })
  t.teardown(() => end('SIGKILL'))
  const ready = await client.get('/health/ready')
  t.deepEqual([ready.status, ready.body.status, ready.body.takes], [503, 'not ready', false])
  t.like(ready.body.parts.log, { status: 'failing', takes: false, answers: false })
  t.regex(ready.body.parts.log.reason, /Kafka/)
  t.true(ready.body.parts.log.since > 1e15)
  await until('the log tells', () => /Kafka is not reached, retrying/.test(errors()), 60_000)
  t.is((await client.get('/health/ready?for=answers')).status, 503)
  t.is((await client.get('/health/ready?for=both')).status, 400)

  const kafka = await startTestKafka(t, { port })
  await until200('it takes events', () => client.get('/health/ready'), 90_000)
  await client.register(schemaOf('late'))
  await client.event('late.s0', { id: 1 })
  t.is(await client.count('select count(*) from late.s0'), 1)
  t.like((await client.get('/health/ready')).body, { takes: true, answers: true })

  await kafka.pause()
  await until(
    'a broker that stands still',
    async () => (await client.get('/health/ready')).body.takes === false,
    30_000,
  )
  t.regex((await client.get('/health/ready')).body.parts.log.reason, /not answered within|Kafka/)
  await sleep(20_000)
  kafka.resume()
  await until200('it takes events again', () => client.get('/health/ready'), 60_000)
  await until(
    'the event is taken',
    async () => (await client.post('/stream/late/s0', { id: 2 })).status === 200,
    30_000,
  )
})
