import test from 'ava'
import { startService } from '../../support/service.ts'
import { pointsCsv } from './data.ts'
import { createTrainer, requestOf } from './trainer.ts'

/** A fifth of the rows is held out. */
const models = [
  { model: 'one', algo_type: 'TREE', rows: 100 },
  { model: 'two', algo_type: 'LIN', rows: 150 },
  { model: 'three', algo_type: 'SVM', rows: 200 },
]

test('models that are trained at once have each the rows, labels and predictions of its own data', async (t) => {
  const service = await startService()
  t.teardown(service.close)
  const { client } = service
  const trainer = createTrainer(client)
  for (const [seed, { model, rows }] of models.entries()) {
    const csv = pointsCsv(rows, seed + 1)
    await trainer.upload(model, csv.replaceAll('red', `${model}_above`).replaceAll('blue', `${model}_below`))
  }
  const answers = await Promise.all(
    models.map(({ model, algo_type }) => client.post('/ml/train', requestOf(model, { algo_type }))),
  )
  for (const { status, text } of answers) t.is(status, 200, text)
  t.deepEqual(await Promise.all(models.map(({ model }) => trainer.ended(model))), [25, 25, 25])

  const times = await Promise.all(models.map(({ model }) => trainer.recordOf(model)))
  const began = Math.max(...times.map(({ train_start_ts }) => train_start_ts))
  const ended = Math.min(...times.map(({ train_end_ts }) => train_end_ts))
  t.true(began < ended, 'all were asked for before the first had ended')

  for (const { model, algo_type, rows } of models) {
    const [below, above] = [`${model}_below`, `${model}_above`]
    const metrics = await client.ok(client.get(`/ml/shop/${model}/metrics`))
    t.deepEqual([metrics.rows, metrics.rows_learnt], [rows / 5, (rows * 4) / 5], model)
    t.deepEqual(metrics.labels.toSorted(), [above, below], model)
    t.true(metrics.accuracy > 0.85, `${algo_type}: ${metrics.accuracy}`)
    for (const [data, label] of [
      ['0.9,0.8,warm', above],
      ['-0.9,-0.8,cold', below],
    ]) {
      const asked = { 'schema-name': 'shop', model_name: model, data_type: 2, input_format: 'CSV', data }
      t.is((await client.ok(client.post('/ml/pred/2', asked))).predict_labels, label)
    }
  }
})
