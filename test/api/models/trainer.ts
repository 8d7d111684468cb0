import { createPool } from '../../../base/pool.ts'
import type { Client } from '../../support/requests/client.ts'
import { until } from '../../support/until.ts'
import { pointAttributes } from './data.ts'

/** A test's training; members that it leaves out are those of points in a CSV file. */
export type Asked = {
  readonly algo_type: string
  readonly file?: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly more?: Readonly<Record<string, unknown>>
}

/** A fit of many seconds: nothing tells the class, so every row becomes a support vector. */
export const slow: Asked = {
  algo_type: 'SVM',
  details: { target_idx: 2 },
  more: { algo_param: { kernel: 'rbf', cost: 1000, gamma: 10, cache_size: 1 } },
}

export const requestOf = (model: string, { algo_type, file, details = {}, more = {} }: Asked) => ({
  'schema-name': 'shop',
  model_name: model,
  algo_type,
  attr_type: 'HYBRID',
  attr_list: pointAttributes,
  training_details: {
    training_source_type: 'FILE',
    training_source: file ?? 'data.csv',
    input_format: 'CSV',
    expected_format: 'CSV',
    target_idx: 3,
    ...details,
  },
  ...more,
})

export function createTrainer(client: Client) {
  /** Trainings of tests that run at once go one after the other: in the service's line each test would ask for its state all the time. */
  const turns = createPool(['the only one'])
  const statusOf = (model: string) => client.ok(client.get(`/ml/shop/${model}/status`))
  const ended = (model: string) =>
    until(
      `training of ${model}`,
      async () => {
        const { train_req_state: state } = await statusOf(model)
        return state < 20 || state >= 25 ? state : undefined
      },
      120_000,
    )
  return {
    upload: (model: string, text: string, file = 'data.csv') =>
      client.send('PUT', `/brs/ml_bucket_info/object/${model}__shop__${file}`, text),
    statusOf,
    ended,
    recordOf: (model: string) => client.ok(client.get(`/ml/shop/${model}/request`)),
    /** Trains once the trainings before it have ended, and tells the state that it ends in. */
    train: (model: string, asked: Asked): Promise<number> =>
      turns.use(async () => {
        await client.ok(client.post('/ml/train', requestOf(model, asked)))
        return ended(model)
      }),
  }
}
