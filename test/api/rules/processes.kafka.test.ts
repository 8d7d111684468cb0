/** Several processes share the tasks of rules over Kafka: one that is killed, or stands still, is succeeded and fenced. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import { killServices, type ServiceProcess, spawnService } from '../../support/process.ts'
import { createRandom } from '../../support/random/random.ts'
import { randomFor } from '../../support/random/seed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { isOnePass, load, schema } from './crash-load.ts'

test.after.always(killServices)

withKafka('rules over Kafka make the rows of one pass while processes are killed and stand still', async (t) => {
  t.timeout(725_000)
  const folder = temporaryFolder()
  const server = await startTestClickHouse({ folder: join(folder, 'server') })
  t.teardown(() => server.kill())
  const { settings } = await brokerOfRun()
  const shared = { DATA_DIR: join(folder, 'weir'), CLICKHOUSE_URL: server.url, ...settings }
  const spawn = () => spawnService(shared)
  const processes: (ServiceProcess | undefined)[] = [await spawn(), await spawn()]
  const clientOf = (n: number) => processes[n]?.client
  await processes[0]?.client.register(schema)
  await until(
    'both know the schema',
    async () => (await clientOf(1)?.get('/stream/crash/info'))?.status === 200,
    30_000,
  )

  let isStopped = false
  const random = randomFor(t)
  const loading = Promise.all(
    [0, 1, 0, 1].map((n, i) =>
      load(
        () => clientOf(n),
        `k${i}`,
        createRandom(random.whole(1, 1e9)),
        () => isStopped,
      ),
    ),
  )
  /** Without a wait: processes that are killed answer late. */
  const taken = async (n: number): Promise<number> => {
    const sql = { sql: 'select count(*) from crash.b' }
    const answer = await clientOf(n)
      ?.post('/db/mydb/query?consistency=eventual', sql)
      .catch(() => undefined)
    return Number(answer?.body?.retval ?? 0)
  }
  await until('rows are made', async () => (await taken(0)) > 20, 60_000)
  for (const n of [0, 1]) {
    await processes[n]?.end('SIGKILL')
    processes[n] = undefined
    processes[n] = await spawn()
    const before = await taken(n)
    await until('its successor goes on', async () => (await taken(n)) > before + 20, 60_000)
  }

  // Longer than a process that says nothing counts as alive.
  processes[0]?.child.kill('SIGSTOP')
  await sleep(20_000)
  const before = await taken(1)
  await until('the other one takes all', async () => (await taken(1)) > before + 20, 60_000)
  processes[0]?.child.kill('SIGCONT')
  const resumed = await taken(1)
  await until('both go on', async () => (await taken(1)) > resumed + 20, 60_000)

  isStopped = true
  const posted = await loading
  // Each process waits for the events that it was acknowledged, and for their rows.
  for (const n of [0, 1]) {
    for (const stream of ['a', 'b', 'pairs', 'rises']) await clientOf(n)?.count(`select count(*) from crash.${stream}`)
  }
  const client = clientOf(1)
  if (client) await isOnePass(t, client, posted)
})
