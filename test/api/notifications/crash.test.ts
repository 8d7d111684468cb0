import test from 'ava'
import { brokerOfRun, withKafka } from '../../support/kafka.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { serverOf } from '../../support/server-mode.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { sendsOnce } from './exactly-once.ts'

test.after.always(killServices)

const settings = () => ({ DATA_DIR: temporaryFolder(), NOTIFY_PRIVATE: '1' })

test.serial('kill -9 amid ingest and sends: each match is sent once, and what was pending is delivered', async (t) => {
  t.timeout(300_000)
  const alone = settings()
  await sendsOnce(t, { start: () => spawnService(alone), processes: 1, batches: 24, killedAt: 4 })
})

test.serial('two processes on one ClickHouse, each killed in its turn, send each match once', async (t) => {
  t.timeout(300_000)
  const { url: CLICKHOUSE_URL } = await serverOf(temporaryFolder())
  const each = [settings(), settings()].map((own) => ({ ...own, CLICKHOUSE_URL }))
  const start = (place: number) => spawnService(each[place] ?? settings())
  await sendsOnce(t, { start, processes: 2, batches: 12, killedAt: 5 })
})

withKafka.serial('where Kafka brings the events, kill -9 sends each match once', async (t) => {
  t.timeout(300_000)
  const alone = { ...settings(), ...(await brokerOfRun()).settings }
  await sendsOnce(t, { start: () => spawnService(alone), processes: 1, batches: 12, killedAt: 4 })
})
