import test from 'ava'
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { sendsOnce } from '../notifications/exactly-once.ts'

test.after.always(killServices)

withKafka('where Kafka brings the events, kill -9 sends each match once', async (t) => {
  t.timeout(750_000)
  const settings = { DATA_DIR: temporaryFolder(), NOTIFY_PRIVATE: '1', ...(await brokerOfRun()).settings }
  await sendsOnce(t, { start: () => spawnService(settings), processes: 1, batches: 8, killedAt: 4 })
})
