/** A file's prediction that is cut off at each of its steps, one after the other, as a crash there would. */
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import test from 'ava'
import { createStrikes } from '../../../activities/models/process/strikes.ts'
import { hiddenBucket } from '../../../activities/objects/buckets.ts'
import { modelBucket } from '../../../activities/objects/model-objects.ts'
import { createFileActivities, type FileRequest } from '../../../activities/prediction/files/activities.ts'
import { createParts } from '../../../activities/prediction/files/parts.ts'
import { fileState } from '../../../activities/prediction/files/states.ts'
import { asked, createFilePredictionStore } from '../../../activities/prediction/files/store.ts'
import { openBlockPool } from '../../../activities/prediction/open-block-pool.ts'
import { openFolderStore } from '../../../infra/buckets/folder/store.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../infra/clickhouse/migrate.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { createMetrics } from '../../../infra/metrics.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { sumModel } from './models.ts'

const rows = 60_000
const { signal } = new AbortController()
const clickhouse = createEmbeddedClickHouse({ path: temporaryFolder() })
await migrate(clickhouse)
const { buckets, objects, close } = await openFolderStore(temporaryFolder())
for (const bucket of [modelBucket, hiddenBucket]) await buckets.create(bucket)
const pool = openBlockPool(1)
test.after.always(async () => {
  await pool.close()
  await close()
  await clickhouse.close()
})

/** Opens with steps of which the one of this number fails, and all after it, as after a crash. */
function openCrashing(step: number) {
  let left = step
  const crashing =
    <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (left-- <= 0) throw new Error('crashed')
      return work(...args)
    }
  const store = createFilePredictionStore(clickhouse)
  const parts = createParts(objects)
  const activities = createFileActivities({
    objects: { ...objects, put: crashing(objects.put) },
    store: { ...store, update: crashing(store.update) },
    parts: { ...parts, write: crashing(parts.write), clear: crashing(parts.clear) },
    modelOf: async () => ({ number: 1, key: 'sum', algorithm: 'TEST', start_us: 1, end_us: 2, metrics: {} }),
    load: async () => sumModel(1024),
    pool,
    strikes: createStrikes(),
    metrics: createMetrics(),
    logger: silentLogger(),
  })
  return { store, activities }
}

test('wherever a prediction of a file is cut off, it ends with every row told and written', async (t) => {
  await objects.put(modelBucket, 'm__s__f.csv', Readable.from(['1,Rome,1.5\n'.repeat(rows)]))
  let isCut = true
  let step = 0
  for (; isCut && step < 100; step++) {
    const request: FileRequest = {
      schema: 's',
      model: 'm',
      file: 'f.csv',
      prediction: step,
      format: 'CSV',
      considerTarget: false,
    }
    const { store } = openCrashing(Number.POSITIVE_INFINITY)
    await store.begin(asked(request, false))
    const run = async ({ activities }: ReturnType<typeof openCrashing>) => {
      const prepared = await activities.prepareFile(request, signal)
      await activities.predictParts(prepared, signal)
      await activities.writeResult(prepared, signal)
    }
    isCut = await run(openCrashing(step)).then(
      () => false,
      () => true,
    )
    // An orchestrator repeats the step that was cut off, with what the steps before it gave.
    if (isCut) {
      const { activities } = openCrashing(Number.POSITIVE_INFINITY)
      const prepared = {
        ...request,
        version: 'sum',
        source: (await objects.stat(modelBucket, 'm__s__f.csv'))?.version ?? '',
        bytes: 11 * rows,
      }
      const before = await store.find(request)
      if (before?.state === fileState.fetching) await activities.prepareFile(request, signal)
      if ((before?.state ?? 0) < fileState.written) await activities.predictParts(prepared, signal)
      await activities.writeResult(prepared, signal)
    }
    const after = await store.find(request)
    t.like(after, { state: fileState.done, progress: 1 }, `cut off before step ${step}`)
    t.is(after?.tally?.rows, rows, `cut off before step ${step}`)
    const result = await objects.get(modelBucket, 'm__s__f.csv.predict')
    t.is((await text(result?.stream ?? Readable.from([]))).split('\n').length, rows + 1)
    for await (const { key } of objects.list(hiddenBucket, 's/m/predictions/')) t.fail(`left: ${key}`)
  }
  t.false(isCut)
  t.is(
    step,
    11,
    'one step each for what is found, told, kept, told, written, put, ended and cleared, and one before each activity',
  )
})
