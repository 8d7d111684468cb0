import test from 'ava'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('embedded ClickHouse is closed once no statement runs: a process that ended before would hang in its exit', async (t) => {
  const clickhouse = createEmbeddedClickHouse({ path: temporaryFolder() })
  let hasEnded = false
  const slow = clickhouse.run('SELECT sleepEachRow(0.5) FROM numbers(2)').then(() => {
    hasEnded = true
  })
  await clickhouse.close()
  t.true(hasEnded)
  await slow
})
