import type { ModelClient } from '../models/model-client.ts'

export type Training = {
  readonly model: string
  readonly algo_type: string
  readonly algo_param?: object
  readonly scale?: 0 | 1
  /** Parameters are chosen by trying, from the smallest grid. */
  readonly tuned?: boolean
  readonly task?: 'classify' | 'regress'
  readonly format?: 'CSV' | 'JSON'
  readonly training: string
  readonly unseen: string
}

const longestTuning_s = 60

export type Metrics = Readonly<Record<string, unknown>>

/** Trains on the one file and measures on the other, all else by default. */
export async function train(client: ModelClient, asked: Training): Promise<Metrics> {
  const { model, algo_type, algo_param, scale, tuned, task, format = 'CSV', training, unseen } = asked
  await client.put(model, 'training', training)
  await client.put(model, 'unseen', unseen)
  const request = {
    'schema-name': 'bench',
    model_name: model,
    algo_type,
    ...(algo_param && { algo_param }),
    ...(scale !== undefined && { scale }),
    ...(tuned && { tune_params: 1, tune_budget_s: longestTuning_s }),
    training_details: {
      training_source_type: 'FILE',
      training_source: 'training',
      input_format: format,
      ...(format === 'CSV' && algo_type !== 'KMEANS' && { target: 'target' }),
      ...(task && { task }),
      ...(tuned && { train_speed: 1 }),
      holdout: { file: 'unseen' },
    },
  }
  await client.ask('POST', '/ml/train', JSON.stringify(request))
  await client.untilDone(`/ml/bench/${model}/status`, 'train_req_state')
  return client.ask('GET', `/ml/bench/${model}/metrics`)
}

/** The probability of a label for each row of a file without the target. */
export async function probabilities(
  client: ModelClient,
  base: string,
  { model, rows, label }: { readonly model: string; readonly rows: string; readonly label: string },
): Promise<readonly number[]> {
  await client.put(model, 'rows', rows)
  const request = {
    'schema-name': 'bench',
    model_name: model,
    input_format: 'CSV',
    data: 'rows',
    predict_format: 'csv',
  }
  await client.ask('POST', '/ml/pred/1', JSON.stringify(request))
  await client.untilDone(`/ml/bench/${model}/rows/status`, 'pred_req_state')
  const result = await fetch(`${base}/brs/ml_bucket_info/object/${model}__bench__rows.predict`)
  const [header = '', ...lines] = (await result.text()).trim().split('\n')
  const column = header.split(',').indexOf(`p(${label})`)
  if (column < 0) throw new Error(`no column p(${label}) in ${header}`)
  return lines.map((line) => Number(line.split(',')[column]))
}

/** The mean over the rows found of the precision up to each (average precision), rows of one probability taken together. */
export function averagePrecision(shares: readonly number[], isTrue: readonly boolean[]): number {
  const order = [...shares.keys()].sort((a, b) => (shares[b] ?? 0) - (shares[a] ?? 0))
  const all = isTrue.filter(Boolean).length
  let [hits, before, sum] = [0, 0, 0]
  for (const [at, row] of order.entries()) {
    if (isTrue[row]) hits += 1
    if (shares[row] === shares[order[at + 1] ?? -1]) continue
    sum += ((hits - before) / all) * (hits / (at + 1))
    before = hits
  }
  return sum
}
