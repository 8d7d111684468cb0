import test from 'ava'
import { serverOf, stopServers } from '../../support/clickhouse/server-mode.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { sendsOnce } from '../notifications/exactly-once.ts'

test.after.always(async () => {
  killServices()
  await stopServers()
})

test('two processes on one ClickHouse, each killed in its turn, send each match once', async (t) => {
  t.timeout(300_000)
  const { url: CLICKHOUSE_URL } = await serverOf(temporaryFolder())
  const settings = () => ({ DATA_DIR: temporaryFolder(), NOTIFY_PRIVATE: '1', CLICKHOUSE_URL })
  const each = [settings(), settings()]
  const start = (place: number) => spawnService(each[place] ?? settings())
  await sendsOnce(t, { start, processes: 2, batches: 8, killedAt: 3 })
})
