/** Kafka and a ClickHouse server: all that is left in Weir's processes is memory. */
import { join } from 'node:path'
import test from 'ava'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { differences } from '../streams/compare.ts'
import { next, whole } from '../streams/crash-schema.ts'
import type { Event } from '../streams/oracle.ts'

test.after.always(killServices)

withKafka('two processes on one Kafka and one ClickHouse server write, read and edit as one', async (t) => {
  t.timeout(700_000)
  const folder = temporaryFolder()
  const server = await startTestClickHouse({ folder: join(folder, 'server') })
  t.teardown(() => server.kill())
  const kafka = await brokerOfRun()
  const settings = { DATA_DIR: join(folder, 'weir'), CLICKHOUSE_URL: server.url, ...kafka.settings, ROLE: 'api' }
  const a = await spawnService(settings)
  const b = await spawnService(settings)
  const schema = whole('load')
  const events: Event[] = []
  const post = async (processes: readonly (typeof a)[]): Promise<void> => {
    for (const { client } of processes) {
      const more = Array.from({ length: 30 }, next)
      await client.lines('load.s', more)
      events.push(...more)
      // No other event is as young as these.
      const own = await client.count(`select count(*) from load.s where _pk >= ${more[0]?._pk}`)
      t.is(own, more.length, 'a process reads what it wrote')
    }
  }
  await a.client.register(schema)
  await post([a, b, a, b])
  for (const { client } of [a, b]) {
    await until(
      'all is consumed',
      async () => (await client.count('select count(*) from load.s')) === events.length,
      30_000,
    )
    t.deepEqual(await differences(client, schema, { s: events }), [])
  }

  t.is((await b.client.send('PUT', '/stream/load/s/state', { state: 0 })).status, 200)
  t.is((await a.client.post('/stream/load/s', next())).status, 409)
  t.is((await a.client.send('PUT', '/stream/load/s/state', { state: 1 })).status, 200)

  const [input, ...others] = schema.streams
  if (!input) throw new Error('no input')
  const edited = {
    ...schema,
    streams: [{ ...input, gpby: [...(input.gpby ?? []), { gpat: ['who'], iatr: 'm', stat: 'COUNT' }] }, ...others],
  }
  t.is((await a.client.send('PUT', '/stream', edited)).status, 200)
  await post([b, a])
  await until(
    'all is consumed',
    async () => (await a.client.count('select count(*) from load.s')) === events.length,
    30_000,
  )
  t.deepEqual(await differences(b.client, edited, { s: events }), [])

  // The process that was started last owns no consumer: consumers live in the server, and go on when it comes back.
  await a.end('SIGKILL')
  await server.kill()
  const kept = Array.from({ length: 30 }, next)
  await b.client.lines('load.s', kept)
  events.push(...kept)
  await server.restart()
  await until(
    'the consumers go on',
    async () => (await b.client.query('select count(*) from load.s')).body?.retval === events.length,
    60_000,
  )
  t.deepEqual(await differences(b.client, edited, { s: events }), [])
})
