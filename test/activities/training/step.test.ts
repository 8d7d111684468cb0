import test from 'ava'
import { createModelFiles } from '../../../activities/models/model-files.ts'
import { publish } from '../../../activities/models/publish.ts'
import type { TrainingRecord } from '../../../activities/models/stores/training-record.ts'
import { createTrainingStore } from '../../../activities/models/stores/trainings.ts'
import { createVersionStore } from '../../../activities/models/stores/versions.ts'
import { trainingState } from '../../../activities/models/training-states.ts'
import { hiddenBucket } from '../../../activities/objects/buckets.ts'
import { modelBucket } from '../../../activities/objects/model-objects.ts'
import { createTrainingActivities } from '../../../activities/training/activities.ts'
import type { TrainingRequest } from '../../../activities/training/decode/request.ts'
import { createStep } from '../../../activities/training/step.ts'
import { openFolderStore } from '../../../infra/buckets/folder/store.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../infra/clickhouse/migrate.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: temporaryFolder() })
await migrate(clickhouse)
test.after.always(() => clickhouse.close())
const trainings = createTrainingStore(clickhouse)

const wire = {
  'schema-name': 'shop',
  model_name: 'm',
  algo_type: 'LIN',
  attr_list: [
    { name: 'a', position: 0 },
    { name: 'b', position: 1 },
  ],
  training_details: { training_source_type: 'FILE', training_source: 'f', input_format: 'CSV', target_idx: 1 },
}
const none = { algorithm: 'LIN', end_us: 0, fits: 0, progress: 0, tuned: {}, log: [] }

/** The request as a step of such a training sees it. */
async function seen(training: number, record: Pick<TrainingRecord, 'request'> & Partial<TrainingRecord>) {
  const key = { schema: 'shop', model: 'm', training }
  await trainings.add({ ...key, ...none, state: trainingState.fetching, ...record })
  let found: TrainingRequest | undefined
  const step = createStep(trainings, {
    share: [0, 1],
    failing: trainingState.badInput,
    work: async ({ request }) => {
      found = request
      return undefined
    },
  })
  await step(key, new AbortController().signal)
  return found
}

test('a training that was asked for before numbers were scaled by default keeps them as they are', async (t) => {
  t.like(await seen(1, { request: wire }), { scale: false, scaledByDefault: undefined })
  t.like(await seen(2, { request: wire, scaledByDefault: true }), { scale: true, scaledByDefault: true })
  t.like(await seen(3, { request: { ...wire, scale: 1 } }), { scale: true, scaledByDefault: undefined })
})

test('a process whose training another one has completed meanwhile leaves the files of the published version', async (t) => {
  const { buckets, objects, close } = await openFolderStore(temporaryFolder())
  t.teardown(close)
  for (const bucket of [modelBucket, hiddenBucket]) await buckets.create(bucket)
  const [files, versions] = [createModelFiles(objects), createVersionStore(clickhouse)]
  const deps = { trainings, files, versions } as unknown as Parameters<typeof createTrainingActivities>[0]
  const end = (training: number) =>
    createTrainingActivities(deps).endTraining({
      ...{ schema: 'shop', model: 'done', training },
      ...{ stopped: false, reason: 'the training was stopped' },
    })
  const key = { schema: 'shop', model: 'done', training: 11 }
  await trainings.add({ ...key, ...none, request: wire, state: trainingState.done })
  for (const file of ['model.onnx', 'param', 'data'] as const) await files.write(key, file, Buffer.from(file))
  const about = { algorithm: 'LIN', start_us: 11, end_us: 12, metrics: {} }
  await publish({ objects, files, versions }, key, { number: 1, key: files.keyOf(key, 'model.onnx'), ...about })
  t.like(await end(11), { state: trainingState.done })
  t.deepEqual(await Promise.all((['model.onnx', 'param', 'data'] as const).map((file) => files.has(key, file))), [
    true,
    true,
    false,
  ])

  const failed = { ...key, training: 12 }
  await trainings.add({ ...failed, ...none, request: wire, state: trainingState.fetching })
  await files.write(failed, 'model.onnx', Buffer.from('m'))
  t.like(await end(12), { state: trainingState.training })
  t.false(await files.has(failed, 'model.onnx'), 'a training that failed leaves nothing')
})
