import test from 'ava'
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import { killServices, NotStarted, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { answersOf, shop, visits } from '../deletion/shop.ts'
import { differences } from '../streams/compare.ts'
import { next, whole } from '../streams/crash-schema.ts'
import type { Event } from '../streams/oracle.ts'

const schema = whole('load')
test.after.always(killServices)

withKafka('one folder goes from the embedded log to Kafka and back, and every event counts once', async (t) => {
  t.timeout(600_000)
  const embedded = { DATA_DIR: temporaryFolder(), CLICKHOUSE_HTTP_PORT: '0' }
  const kafka = { ...embedded, ...(await brokerOfRun()).settings }
  const events: Event[] = []
  for (const [round, settings] of [embedded, kafka, kafka, embedded, kafka].entries()) {
    const service = await spawnService(settings)
    if (round === 0) await service.client.register(schema)
    const more = Array.from({ length: 60 }, next)
    await service.client.lines('load.s', more)
    events.push(...more)
    t.deepEqual(await differences(service.client, schema, { s: events }), [], `round ${round}`)
    await service.end('SIGTERM')
  }
})

withKafka('events that the embedded log still holds keep the change to Kafka from being made', async (t) => {
  const settings = { DATA_DIR: temporaryFolder(), CLICKHOUSE_HTTP_PORT: '0' }
  const { client, end } = await spawnService(settings)
  await client.register(schema)
  const text = Array.from({ length: 20_000 }, () => JSON.stringify(next())).join('\n')
  await client.ok(client.post('/stream/load/s', text, { 'content-type': 'application/x-ndjson' }))
  await end('SIGKILL')
  const { settings: kafka } = await brokerOfRun()
  const error = await t.throwsAsync(() => spawnService({ ...settings, ...kafka }), {
    instanceOf: NotStarted,
  })
  t.regex(error?.said ?? '', /start once without KAFKA_BROKERS/)
})

withKafka('a stream that was deleted with undo on one log comes back on the other, and counts on', async (t) => {
  t.timeout(600_000)
  const embedded = { DATA_DIR: temporaryFolder(), CLICKHOUSE_HTTP_PORT: '0' }
  const kafka = { ...embedded, ...(await brokerOfRun()).settings }
  for (const [round, settings] of [embedded, kafka, embedded].entries()) {
    const { client, end } = await spawnService(settings)
    if (round === 0) for (const name of ['part', 'whole']) await client.register(shop(name))
    else await client.ok(client.send('POST', '/stream/part/visits/undelete'))
    for (const name of ['part', 'whole']) await client.lines(`${name}.visits`, visits(20 * round))
    const [part, all] = [await answersOf(client, 'part'), await answersOf(client, 'whole')]
    t.is(await client.count('select count(*) from part.visits'), 20 * (round + 1))
    for (const [sql, answer] of Object.entries(part)) {
      if (sql.startsWith('select') || sql === 'graph')
        t.deepEqual(answer, all[sql.replace('part', 'whole')], `round ${round}: ${sql}`)
    }
    const { streams } = await client.ok(client.post('/reconcile', { schema: 'part' }))
    t.deepEqual(
      streams.filter(({ wrong }: { wrong: number }) => wrong > 0),
      [],
    )
    await client.ok(client.send('DELETE', '/stream/part/visits?undo=1'))
    await end('SIGTERM')
  }
})
