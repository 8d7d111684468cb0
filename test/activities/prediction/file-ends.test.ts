import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { createStrikes } from '../../../activities/models/process/strikes.ts'
import { hiddenBucket } from '../../../activities/objects/buckets.ts'
import { modelBucket } from '../../../activities/objects/model-objects.ts'
import { createFileActivities } from '../../../activities/prediction/files/activities.ts'
import { createParts } from '../../../activities/prediction/files/parts.ts'
import { fileState } from '../../../activities/prediction/files/states.ts'
import { asked, createFilePredictionStore } from '../../../activities/prediction/files/store.ts'
import { openFolderStore } from '../../../infra/buckets/folder/store.ts'
import type { Question } from '../../../infra/clickhouse/clickhouse.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../infra/clickhouse/migrate.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { createMetrics } from '../../../infra/metrics.ts'
import { noAgreement } from '../../../learn/agreement.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { sumModel } from './models.ts'

const { signal } = new AbortController()

test.serial(
  'a file whose model ends a process in block after block is given up after three, however long they take',
  async (t) => {
    const clickhouse = createEmbeddedClickHouse({ path: temporaryFolder() })
    await migrate(clickhouse)
    const { buckets, objects, close } = await openFolderStore(temporaryFolder())
    t.teardown(async () => {
      await close()
      await clickhouse.close()
    })
    for (const bucket of [modelBucket, hiddenBucket]) await buckets.create(bucket)
    await objects.put(modelBucket, 'm__s__f.csv', Readable.from(['1,Rome,1.5\n'.repeat(500_000)]))
    let now = 0
    let blocks = 0
    const store = createFilePredictionStore(clickhouse)
    const activities = createFileActivities({
      objects,
      store,
      parts: createParts(objects),
      modelOf: async () => ({ number: 1, key: 'deadly', algorithm: 'PY', start_us: 1, end_us: 2, metrics: {} }),
      load: async () => sumModel(1024),
      pool: {
        threads: 1,
        async predict() {
          blocks += 1
          now += 3_600_000 // Longer than a strike is remembered.
          return { text: '\n', rows: 1, failed: 1, faults: [], oddities: [], ended: 1, agreement: noAgreement }
        },
        close: async () => {},
      },
      strikes: createStrikes(() => now),
      metrics: createMetrics(),
      logger: silentLogger(),
    })
    const key = { schema: 's', model: 'm', file: 'f.csv', prediction: 1 }
    await store.begin(asked(key, false))
    const prepared = await activities.prepareFile({ ...key, format: 'CSV', considerTarget: false }, signal)
    await t.throwsAsync(activities.predictParts(prepared, signal), {
      message: 'the model has ended its process 3 times over this file, which is given up',
    })
    t.true(blocks <= 5, `${blocks} blocks were begun`)
    t.like(await store.find(key), { state: fileState.failed })
    await t.throwsAsync(activities.predictParts(prepared, signal), { message: /3 times over this file/ }, 'tried again')
    t.true(blocks <= 6)
  },
)

test.serial(
  'a prediction of a file that is removed while another process writes how far it is does not come back',
  async (t) => {
    const clickhouse = createEmbeddedClickHouse({ path: temporaryFolder() })
    await migrate(clickhouse)
    t.teardown(() => clickhouse.close())
    const here = createFilePredictionStore(clickhouse)
    const key = { schema: 's', model: 'm', file: 'f.csv', prediction: 1 }
    await here.begin(asked(key, false))
    let isRemoved = false
    const elsewhere = createFilePredictionStore({
      ...clickhouse,
      rows: async <Row>(question: Question) => {
        const rows = await clickhouse.rows<Row>(question)
        if (!isRemoved) {
          isRemoved = true
          await here.remove(key)
          await sleep(2) // So that the next write is later.
        }
        return rows
      },
    })
    t.is(await elsewhere.update(key, { progress: 0.5 }), undefined)
    t.is(await here.find(key), undefined)
  },
)
