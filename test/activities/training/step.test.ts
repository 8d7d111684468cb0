import test from 'ava'
import type { TrainingRecord } from '../../../activities/models/stores/training-record.ts'
import { createTrainingStore } from '../../../activities/models/stores/trainings.ts'
import { trainingState } from '../../../activities/models/training-states.ts'
import type { TrainingRequest } from '../../../activities/training/decode/request.ts'
import { createStep } from '../../../activities/training/step.ts'
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
