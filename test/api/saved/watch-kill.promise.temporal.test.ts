import { join } from 'node:path'
import test from 'ava'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { startTestTemporal, withTemporal } from '../../support/parts/temporal.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { rounds } from '../../support/random/seed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { watchesOnce } from './watches-once.ts'

test.after.always(killServices)

withTemporal(
  'two processes that Temporal calls, and kill -9: each time is evaluated once, each transition sent once',
  async (t) => {
    t.timeout(900_000)
    const folder = temporaryFolder()
    const server = await startTestClickHouse({ folder: join(folder, 'server'), accounts: true })
    t.teardown(() => server.kill())
    const { address } = await startTestTemporal(t)
    const settings = (place: number) => ({
      DATA_DIR: join(folder, String(place)),
      CLICKHOUSE_URL: server.url,
      NOTIFY_PRIVATE: '1',
      TEMPORAL_ADDRESS: address,
    })
    await watchesOnce(t, { start: (place) => spawnService(settings(place)), processes: 2, rounds: rounds(4, 2) })
  },
)
