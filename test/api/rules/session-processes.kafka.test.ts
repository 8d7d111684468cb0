/** Over Kafka, two processes: each session is told once, with all of its events, whichever process is killed meanwhile. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import { killServices, type ServiceProcess, spawnService } from '../../support/process.ts'
import { randomFor } from '../../support/random/seed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { views } from './session-cases.ts'

test.after.always(killServices)

withKafka('two processes over Kafka tell of each session once, while they are killed', async (t) => {
  t.timeout(725_000)
  const folder = temporaryFolder()
  const server = await startTestClickHouse({ folder: join(folder, 'server') })
  t.teardown(() => server.kill())
  const { settings } = await brokerOfRun()
  const spawn = () => spawnService({ DATA_DIR: join(folder, 'weir'), CLICKHOUSE_URL: server.url, ...settings })
  const processes: ServiceProcess[] = [await spawn(), await spawn()]
  await processes[0]?.client.register({ schema: 'watched', streams: views(2) })
  await until(
    'both know the schema',
    async () => (await processes[1]?.client.get('/stream/watched/info'))?.status === 200,
    30_000,
  )
  const random = randomFor(t)
  let [made, isStopped] = [0, false]
  /** By person the number of events, all of one body. */
  const acknowledged = new Map<string, number>()
  async function load(n: number): Promise<void> {
    while (!isStopped) {
      const people = Array.from({ length: random.pick([1, 20]) }, () => [`p${++made}`, random.whole(1, 3)] as const)
      const lines = people.flatMap(([who, events]) =>
        Array.from({ length: events }, (_, index) => ({ who, ms: index, _id: `${who}.${index}` })),
      )
      for (;;) {
        const answer = await processes[n]?.client.lines('watched.views', lines).catch(() => undefined)
        if (answer !== undefined) break
        await sleep(100)
      }
      for (const [who, events] of people) acknowledged.set(who, events)
      await sleep(random.whole(20, 200))
    }
  }
  const loading = Promise.all([load(0), load(1)])
  for (const n of [0, 1, 0]) {
    await sleep(random.whole(3_000, 6_000))
    await processes[n]?.end('SIGKILL')
    processes[n] = await spawn()
  }
  await sleep(3_000)
  isStopped = true
  await loading
  const rows = async (): Promise<string[]> =>
    ((await processes[1]?.client.documents('select * from watched.visits')) ?? []).map(
      ({ who, cnt }) => `${who} ${cnt}`,
    )
  await until('a row of each', async () => (await rows()).length >= acknowledged.size, 60_000)
  await sleep(3_000)
  t.deepEqual((await rows()).sort(), [...acknowledged].map(([who, events]) => `${who} ${events}`).sort())
  t.true(acknowledged.size > 50, `${acknowledged.size}`)
})
