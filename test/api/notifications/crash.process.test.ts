import test from 'ava'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { sendsOnce } from './exactly-once.ts'

test.after.always(killServices)

test('kill -9 amid ingest and sends: each match is sent once, and what was pending is delivered', async (t) => {
  t.timeout(750_000)
  const settings = { DATA_DIR: temporaryFolder(), NOTIFY_PRIVATE: '1' }
  await sendsOnce(t, { start: () => spawnService(settings), processes: 1, batches: 12, killedAt: 4 })
})
