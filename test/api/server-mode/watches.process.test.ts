import { join } from 'node:path'
import test from 'ava'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { watchesOnce } from '../saved/watches-once.ts'

const folder = temporaryFolder()
const server = await startTestClickHouse({ folder: join(folder, 'server'), accounts: true })

test.after.always(async () => {
  killServices()
  await server.kill()
})

test('two processes on one ClickHouse, each killed in its turn, send each transition of a watch once', async (t) => {
  t.timeout(900_000)
  const settings = (place: number) => ({
    DATA_DIR: join(folder, String(place)),
    NOTIFY_PRIVATE: '1',
    CLICKHOUSE_URL: server.url,
  })
  await watchesOnce(t, { start: (place) => spawnService(settings(place)), processes: 2, rounds: 4 })
})
