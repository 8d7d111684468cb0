import test from 'ava'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { watchesOnce } from './watches-once.ts'

test.after.always(killServices)

test('kill -9 between evaluations and sends: each transition of a watch is sent once', async (t) => {
  t.timeout(600_000)
  const settings = { DATA_DIR: temporaryFolder(), NOTIFY_PRIVATE: '1' }
  await watchesOnce(t, { start: () => spawnService(settings), processes: 1, rounds: 6 })
})
