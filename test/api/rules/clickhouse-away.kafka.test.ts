/** Rules over Kafka go on while ClickHouse is away: its consumers have all of it once it is back. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { createRandom } from '../../support/random/random.ts'
import { randomFor } from '../../support/random/seed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { isOnePass, load, schema } from './crash-load.ts'

test.after.always(killServices)

const away_ms = 60_000
/** The pause between two events of a client. */
const pause_ms = 40

withKafka('rules over Kafka make the rows of one pass though ClickHouse is away for a minute', async (t) => {
  t.timeout(725_000)
  const folder = temporaryFolder()
  const server = await startTestClickHouse({ folder: join(folder, 'server') })
  t.teardown(() => server.kill())
  const { settings } = await brokerOfRun()
  const { client } = await spawnService({ DATA_DIR: join(folder, 'weir'), CLICKHOUSE_URL: server.url, ...settings })
  await client.register(schema)
  let isStopped = false
  const random = randomFor(t)
  const loading = Promise.all(
    [0, 1].map((n) =>
      load(
        () => client,
        `k${n}`,
        createRandom(random.whole(1, 1e9)),
        () => isStopped,
        pause_ms,
      ),
    ),
  )
  const taken = async (): Promise<number> => {
    const answer = await client.post('/db/mydb/query?consistency=eventual', { sql: 'select count(*) from crash.b' })
    return Number(answer.body?.retval ?? 0)
  }
  await until('rows are made', async () => (await taken().catch(() => 0)) > 20, 60_000)
  await server.kill()
  await sleep(away_ms)
  await server.restart()
  let back = 0
  await until(
    'rows are back',
    async () => {
      back = await taken().catch(() => 0)
      return back > 0
    },
    60_000,
  )
  await until('more are made', async () => (await taken().catch(() => 0)) > back + 20, 60_000)
  isStopped = true
  const posted = await loading
  for (const stream of ['a', 'b', 'pairs', 'rises']) {
    await until(
      `${stream} can be queried`,
      () =>
        client.count(`select count(*) from crash.${stream}`).then(
          () => true,
          () => false,
        ),
      60_000,
    )
  }
  await isOnePass(t, client, posted)
})
