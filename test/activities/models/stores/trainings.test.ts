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
  t.is(await elsewhere.update(key, (record) => ({ ...record, progress: 0.5 })), undefined)
  t.is(await here.find(key), undefined)
  t.deepEqual(await here.list('shop'), [])
})

test('a training that is stopped while a step in another process writes its progress stays stopped', async (t) => {
  const here = createTrainingStore(clickhouse)
  const key = { schema: 'stops', model: 'm', training: 8 }
  const none = { algorithm: 'LIN', end_us: 0, fits: 0, progress: 0, tuned: {}, log: [], request: {} }
  await here.add({ ...key, ...none, state: 20 })
  let isStopped = false
  const ends: number[] = []
  const elsewhere = createTrainingStore(
    {
      ...clickhouse,
      rows: async <Row>(question: Question) => {
        const rows = await clickhouse.rows<Row>(question)
        if (!isStopped) {
          isStopped = true
          t.truthy(await here.update(key, (record) => ({ ...record, state: 19, reason: 'stopped' })))
          await sleep(2) // So that the next write is later.
        }
        return rows
      },
    },
    (state) => ends.push(state),
  )
  t.is(await elsewhere.update(key, (record) => ({ ...record, progress: 0.5 })), undefined)
  t.like(await here.find(key), { state: 19, progress: 0, reason: 'stopped' })
  t.deepEqual(ends, [])
})

test('of changes that two processes make of one training at once none is lost', async (t) => {
  const key = { schema: 'both', model: 'm', training: 9 }
  const none = { algorithm: 'LIN', end_us: 0, fits: 0, progress: 0, tuned: {}, log: [], request: {} }
  const stores = [createTrainingStore(clickhouse), createTrainingStore(clickhouse)]
  await stores[0]?.add({ ...key, ...none, state: 20 })
  let isFirst = true
  const slow = createTrainingStore({
    ...clickhouse,
    rows: async <Row>(question: Question) => {
      const rows = await clickhouse.rows<Row>(question)
      if (isFirst) {
        isFirst = false
        await stores[1]?.update(key, (record) => ({ ...record, log: [...record.log, 'other'] }))
      }
      return rows
    },
  })
  await slow.update(key, (record) => ({ ...record, log: [...record.log, 'slow'] }))
  t.deepEqual((await stores[0]?.find(key))?.log, ['other', 'slow'])
})
