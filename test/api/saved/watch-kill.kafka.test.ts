import { join } from 'node:path'
import test from 'ava'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { watchesOnce } from './watches-once.ts'

test.after.always(killServices)

withKafka('two processes over Kafka, and kill -9: each transition of a watch is sent once', async (t) => {
  t.timeout(900_000)
  const folder = temporaryFolder()
  const server = await startTestClickHouse({ folder: join(folder, 'server'), accounts: true })
  t.teardown(() => server.kill())
  const { settings } = await brokerOfRun()
  const start = (place: number) =>
    spawnService({
      DATA_DIR: join(folder, String(place)),
      CLICKHOUSE_URL: server.url,
      NOTIFY_PRIVATE: '1',
      ...settings,
    })
  await watchesOnce(t, { start, processes: 2, rounds: 4 })
})
