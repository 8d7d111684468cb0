/** The topic of what rules remember is deleted: Weir says so, takes no event twice, and its rules begin anew. */
import test from 'ava'
import { memoryQueue } from '../../../sql/schema/names.ts'
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import { openKafkaLog } from '../../support/parts/kafka-log.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { schema } from './crash-load.ts'

test.after.always(killServices)

const said = 'all that rules remember was deleted from Kafka'

withKafka('rules whose memory is deleted from Kafka say so, and take no event twice', async (t) => {
  t.timeout(725_000)
  const { brokers, settings } = await brokerOfRun()
  const { topics } = openKafkaLog(t, brokers, { prefix: settings.KAFKA_TOPIC_PREFIX })
  // One event is as good as many: a task of each partition has its memory there.
  const keys = Array.from({ length: 12 }, (_, n) => `k${n}`)
  const start = { DATA_DIR: temporaryFolder(), ...settings }
  let service = await spawnService(start)
  await service.client.register(schema)
  const post = async (to: 'a' | 'b', n: number): Promise<void> => {
    for (const key of keys) await service.client.event(`crash.${to}`, { key, n, v: n, _id: `${to} ${key} ${n}` })
  }
  const rowsOf = async (stream: string): Promise<string[]> =>
    (await service.client.documents(`select * from crash.${stream}`)).map(({ key, n }) => `${key} ${n}`).sort()
  const once = (...numbers: readonly number[]): string[] =>
    keys.flatMap((key) => numbers.map((n) => `${key} ${n}`)).sort()

  await post('a', 1)
  t.deepEqual(await rowsOf('a'), once(1))

  // While it runs: a task finds it out when it commits, and fails.
  await topics.remove(memoryQueue('crash'))
  await post('a', 2)
  await until('it is said', async () => service.errors().includes(said), 60_000)
  let found: unknown
  const areTaken = async (): Promise<boolean> => {
    found = await rowsOf('a').catch((error: unknown) => error)
    return Array.isArray(found) && found.length === 2 * keys.length
  }
  await until('all are taken', areTaken, 90_000).catch((error: unknown) => {
    t.log(found, service.errors().slice(-20_000))
    throw error
  })
  t.deepEqual(await rowsOf('a'), once(1, 2))
  await post('b', 3)
  t.deepEqual(await rowsOf('pairs'), once(3), 'of those that came behind')

  // While no process runs.
  await service.end('SIGTERM')
  await topics.remove(memoryQueue('crash'))
  service = await spawnService(start)
  await post('a', 4)
  await until('it is said again', async () => service.errors().includes(said), 60_000)
  t.deepEqual(await rowsOf('a'), once(1, 2, 4))
  t.deepEqual(await rowsOf('b'), once(3))
})
