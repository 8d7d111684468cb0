import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { createTrainingStore } from '../../../../activities/models/stores/trainings.ts'
import type { Question } from '../../../../infra/clickhouse/clickhouse.ts'
import { createEmbeddedClickHouse } from '../../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../../infra/clickhouse/migrate.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: temporaryFolder() })
await migrate(clickhouse)
test.after.always(() => clickhouse.close())

test('a step in another process that has read a training before its removal does not bring it back', async (t) => {
  const here = createTrainingStore(clickhouse)
  const key = { schema: 'shop', model: 'm', training: 7 }
  const none = { algorithm: 'LIN', end_us: 0, fits: 0, progress: 0, tuned: {}, log: [], request: {} }
  await here.add({ ...key, ...none, state: 20 })
  const elsewhere = createTrainingStore({
    ...clickhouse,
    rows: async <Row>(question: Question) => {
      const rows = await clickhouse.rows<Row>(question)
      await here.removeAll(key)
      await sleep(2) // So that the next write is later.
      return rows
    },
  })
  t.truthy(await elsewhere.update(key, (record) => ({ ...record, progress: 0.5 })))
  t.is(await here.find(key), undefined)
  t.deepEqual(await here.list('shop'), [])
})
