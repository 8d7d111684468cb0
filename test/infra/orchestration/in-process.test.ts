import test from 'ava'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded.ts'
import { migrate } from '../../../infra/clickhouse/migrate.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { createInProcess } from '../../../infra/orchestration/in-process.ts'
import { createRunRecords } from '../../../infra/orchestration/run-records.ts'
import { workflows } from '../../../workflows/index.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { cases } from './cases.ts'
import { createLatch, createSteps } from './steps.ts'

const clickhouse = createEmbeddedClickHouse({ path: temporaryFolder() })
await migrate(clickhouse)
let version = 0
const records = createRunRecords(clickhouse, () => ++version)
const open = (steps = createSteps()) => {
  const orchestrator = createInProcess({ workflows, activities: steps.steps, records, logger: silentLogger() })
  return { orchestrator, steps }
}
const shared = open()
test.after.always(async () => {
  await shared.orchestrator.close()
  await clickhouse.close()
})

for (const [title, run] of Object.entries(cases)) test(title, (t) => run(t, shared))

test('what was under way when the process ended begins anew at the next start', async (t) => {
  const key = { schema: 'resumed', stream: 's' }
  const first = open()
  const latch = createLatch()
  first.steps.replace(key.schema, {
    async fillAggregate({ name }, signal) {
      if (name === 'b') await latch.wait(signal)
      return true
    },
  })
  await first.orchestrator.start('rebuildStream', key)
  await until('the second step', () => first.steps.ranFor(key.schema).includes('fill b'))
  await first.orchestrator.close()
  t.deepEqual(first.steps.ranFor(key.schema), ['begin', 'fill a', 'fill b'])
  await t.throwsAsync(first.orchestrator.start('rebuildStream', key), { message: /stopping/ })

  const second = open()
  await second.orchestrator.resume()
  t.like(await second.orchestrator.find('rebuildStream', key), { state: 'running' })
  await until('the end', async () => (await second.orchestrator.find('rebuildStream', key))?.state === 'done')
  t.deepEqual(second.steps.ranFor(key.schema), ['begin', 'fill a', 'fill b', 'swap'])
  const third = open()
  await third.orchestrator.resume()
  t.deepEqual(third.steps.ranFor(key.schema), [])
  await second.orchestrator.close()
})
