import test from 'ava'
import { startService } from '../../support/service.ts'
import { lineAttributes, lineCsv, pointsCsv } from './data.ts'
import { createTrainer, requestOf } from './trainer.ts'

const service = await startService()
const { client } = service
const trainer = createTrainer(client)
test.after.always(() => service.close())

test('every algorithm that learns from rows trains from a file end to end', async (t) => {
  for (const algo_type of ['SVM', 'LIN', 'TREE']) {
    await trainer.upload(algo_type, pointsCsv(200))
    const state = await trainer.train(algo_type, { algo_type, more: { scale: 1 } })
    const { train_log, train_end_ts, train_start_ts } = await trainer.recordOf(algo_type)
    t.is(state, 25, train_log.log.join('\n'))
    t.true(train_end_ts > train_start_ts)
    t.is(train_log.errorcode, 0)
    const { accuracy, rows } = await client.ok(client.get(`/ml/shop/${algo_type}/metrics`))
    t.is(rows, 40)
    t.true(accuracy > 0.85, `${algo_type}: ${accuracy}`)
  }
})

test('numbers are scaled where the algorithm needs it, unless scale is 0, and the log says so', async (t) => {
  await trainer.upload('scaled', pointsCsv(60))
  const linesOf = async (algo_type: string, more: object) => {
    t.is(await trainer.train('scaled', { algo_type, more: { ...more } }), 25)
    const { train_log } = await trainer.recordOf('scaled')
    return train_log.log.join('\n')
  }
  for (const algo_type of ['SVM', 'LIN']) {
    t.regex(
      await linesOf(algo_type, {}),
      new RegExp(`numbers are scaled to \\[-1, 1\\], as ${algo_type} needs.*\nscaling done,`),
    )
  }
  t.regex(await linesOf('SVM', { scale: 0 }), /\nno scaling and no tuning, selected/)
  t.regex(await linesOf('LIN', { scale: 'standard' }), /\nscaling done, selected/)
  const tree = await linesOf('TREE', {})
  t.regex(tree, /no scaling and no tuning, selected/)
  t.notRegex(tree, /are scaled|tuning done/)
  const clusters = await linesOf('KMEANS', { tune_params: 1 })
  t.regex(clusters, /scaling done, KMEANS has nothing to tune here, selected/)
  const refused = await client.post('/ml/train', requestOf('scaled', { algo_type: 'SVM', more: { scale: 'much' } }))
  t.is(refused.status, 400)
  t.regex(refused.body.error.join(), /scale.*0, 1 or "standard"/)
})

test('classes are balanced where a request says so, beside its algorithm or among its parameters, and the log says so', async (t) => {
  const rare = pointsCsv(60)
    .split('\n')
    .filter((line, i) => i % 6 === 0 || !line.endsWith('red'))
  await trainer.upload('balanced', `${rare.join('\n')}\n`)
  for (const algo_type of ['SVM', 'LIN', 'TREE']) {
    for (const more of [{ class_weight: 'balanced' }, { algo_param: { class_weight: 'balanced' } }]) {
      t.is(await trainer.train('balanced', { algo_type, more }), 25)
      const { train_log, tuned_algo_params } = await trainer.recordOf('balanced')
      t.regex(train_log.log.join('\n'), /class weights are balanced: .*(red [2-9]|red \d\d)/)
      t.is(tuned_algo_params.class_weight, 'balanced')
    }
  }
})

test('a target of decimals makes a regression', async (t) => {
  for (const algo_type of ['SVM', 'LIN', 'TREE']) {
    const model = `line_${algo_type}`
    await trainer.upload(model, lineCsv(200))
    const more = { attr_list: lineAttributes, algo_param: algo_type === 'SVM' ? { kernel: 'linear', cost: 100 } : {} }
    const state = await trainer.train(model, { algo_type, details: { target_idx: 1 }, more })
    t.is(state, 25, (await trainer.recordOf(model)).train_log.log.join('\n'))
    const { r2 } = await client.ok(client.get(`/ml/shop/${model}/metrics`))
    t.true(r2 > 0.9, `${algo_type}: ${r2}`)
  }
})

test('values of a line go by attr_list, those of the training file by their positions', async (t) => {
  // y = 3a - b + 1, in a file of a, b, y, asked for as b, y, a.
  const rows = Array.from({ length: 100 }, (_, i) => [i % 10, (i * 7) % 13] as const)
  const attr_list = [
    { name: 'b', position: 1, type: 11 },
    { name: 'y', position: 2, type: 11 },
    { name: 'a', position: 0, type: 11 },
  ]
  const predict = async (data: string, more = {}) => {
    const asked = { 'schema-name': 'shop', model_name: 'listed', algo_type: 'LIN', input_format: 'CSV', data, ...more }
    const { predict_labels, mean_sq_err } = await client.ok(client.post('/ml/pred/2', asked))
    // The model is a little off.
    return [predict_labels, Math.sqrt(mean_sq_err)].map(Math.round)
  }
  await trainer.upload('listed', rows.map(([a, b]) => `${a},${b},${3 * a - b + 1}\n`).join(''))
  const more = { attr_list, algo_param: { C: 1000 } }
  t.is(await trainer.train('listed', { algo_type: 'LIN', details: { target_idx: 2 }, more }), 25)
  t.deepEqual(await predict('2,9'), [26, 0])
  t.deepEqual(await predict('2,20,9', { consider_target: 1 }), [26, 6])
  t.deepEqual(await predict('{"a":9,"b":2}', { input_format: 'JSON' }), [26, 0])
})

const noClasses: readonly (readonly [type: number, cell: string, said: RegExp])[] = [
  [
    9,
    '9007199254740993',
    /'9007199254740993' is beyond 2\^53, where numbers run together: declare the target a STRING/,
  ],
  [9, '1.5', /'1\.5' is no whole number; a target of numbers is a DOUBLE/],
]
for (const [type, cell, said] of noClasses) {
  test(`a class that a model cannot name ends a training, and it says so: ${cell} of type ${type}`, async (t) => {
    const model = `noclass${cell.length}`
    const attr_list = [
      { name: 'x', position: 0, type: 11 },
      { name: 'y', position: 1, type },
    ]
    await trainer.upload(model, `${'1,0\n2,1\n'.repeat(20)}3,${cell}\n`)
    t.is(await trainer.train(model, { algo_type: 'SVM', details: { target_idx: 1 }, more: { attr_list } }), 12)
    t.regex((await trainer.recordOf(model)).train_log.log.join('\n'), said)
  })
}

test('clusters need no target', async (t) => {
  await trainer.upload('clusters', pointsCsv(200))
  const more = { algo_param: { num_centers: 3 } }
  t.is(await trainer.train('clusters', { algo_type: 'KMEANS', details: { target_idx: undefined }, more }), 25)
  const { sizes, inertia } = await client.ok(client.get('/ml/shop/clusters/metrics'))
  t.is(sizes.length, 3)
  t.true(inertia > 0)
})

test('LIBSVM lines train without a list of attributes', async (t) => {
  const lines = Array.from({ length: 100 }, (_, i) => `${i % 2 === 0 ? 1 : -1} ${i % 2 === 0 ? 3 : 7}:${1 + (i % 5)}`)
  await trainer.upload('sparse', `${lines.join('\n')}\n`)
  const details = { input_format: 'libsvm', expected_format: 'LIBSVM', target_idx: undefined }
  const state = await trainer.train('sparse', { algo_type: 'LIN', details, more: { attr_list: undefined } })
  t.is(state, 25, (await trainer.recordOf('sparse')).train_log.log.join('\n'))
  t.is((await client.ok(client.get('/ml/shop/sparse/metrics'))).accuracy, 1)
})

test('texts train labels, and entities with their offsets, told apart by the data', async (t) => {
  const labelled = Array.from({ length: 60 }, (_, i) =>
    JSON.stringify(
      i % 2 === 0 ? { label: 'good', text: `what a lovely day ${i}` } : { label: 'bad', text: `awful rain ${i}` },
    ),
  )
  const tagged = Array.from({ length: 60 }, (_, i) => {
    const city = ['Oslo', 'Paris', 'Rome'][i % 3] ?? ''
    return JSON.stringify({
      text: `I flew to ${city} yesterday`,
      entities: [{ start: 10, end: 10 + city.length, label: 'CITY' }],
    })
  })
  const details = { input_format: 'JSON', expected_format: 'JSON', target_idx: undefined }
  for (const [model, lines] of [
    ['classes', labelled],
    ['entities', tagged],
  ] as const) {
    await trainer.upload(model, `${lines.join('\n')}\n`)
    const state = await trainer.train(model, { algo_type: 'IE', details, more: { attr_list: undefined } })
    t.is(state, 25, (await trainer.recordOf(model)).train_log.log.join('\n'))
  }
  t.is((await client.ok(client.get('/ml/shop/classes/metrics'))).accuracy, 1)
  t.is((await client.ok(client.get('/ml/shop/entities/metrics'))).f1, 1)
})

test('events of a stream train a model, the latest one too', async (t) => {
  const attr = [
    { name: 'a', type: 11 },
    { name: 'b', type: 11 },
    { name: 'label', type: 5 },
  ]
  await client.register({ schema: 'shop', streams: [{ name: 'visits', type: 1, swsz: 0, inpt: [], attr }] })
  const events = pointsCsv(100)
    .trim()
    .split('\n')
    .map((line) => line.split(','))
    .map(([a, b, , label]) => ({ a: Number(a), b: Number(b), label }))
  await client.lines('shop.visits', events)
  const attr_list = attr.map(({ name, type }, position) => ({ name, position, type }))
  const training_details = { training_source_type: 'STREAM', 'stream-name': 'visits', target_idx: 2 }
  const state = await trainer.train('streamed', { algo_type: 'LIN', more: { attr_list, training_details } })
  const { log } = (await trainer.recordOf('streamed')).train_log
  t.is(state, 25, log.join('\n'))
  t.true(log.includes('retrieved 100 events of the stream [ shop.visits ]'))
})

test('all files of a bucket are one training, whatever their number and headers', async (t) => {
  await client.ok(client.post('/brs/bucket', { bucket_name: 'points' }))
  for (let i = 0; i < 3; i++) {
    await client.ok(client.send('PUT', `/brs/points/object/part${i}`, `a,b,colour,label\n${pointsCsv(50, i + 1)}`))
  }
  const details = { training_source_type: 'BUCKET', bucket_name: 'points', expected_format: 'JSON' }
  t.is(await trainer.train('bucket', { algo_type: 'TREE', details }), 25)
  t.true((await trainer.recordOf('bucket')).train_log.log.includes('file reformat done, 150 rows'))
})

test('tuning chooses parameters and tells them', async (t) => {
  await trainer.upload('tuned', pointsCsv(120))
  const details = { train_speed: 'very_fast' }
  t.is(await trainer.train('tuned', { algo_type: 'SVM', details, more: { tune_params: 1, scale: '1' } }), 25)
  const { tuned_algo_params } = await trainer.recordOf('tuned')
  t.true(tuned_algo_params.train_perf > 0.9)
  t.true([5, 3, 1, -1, -3, -5, 7, 9, 11, 13].includes(Math.log2(tuned_algo_params.C)))
})

test('a class of one row keeps no machine from being tuned', async (t) => {
  await trainer.upload('rare', `${'0.1,0.2,warm,blue\n0.3,0.1,cold,blue\n'.repeat(10)}5,5,warm,red\n`)
  const details = { train_speed: 'very_fast' }
  t.is(await trainer.train('rare', { algo_type: 'SVM', details, more: { tune_params: 1 } }), 25)
})

for (const algo_type of ['SVM', 'LIN', 'KMEANS', 'TREE']) {
  test(`the parameters that a training of ${algo_type} tells can be those of the next one`, async (t) => {
    const model = `again_${algo_type}`
    await trainer.upload(model, pointsCsv(40))
    t.is(await trainer.train(model, { algo_type, more: { tune_params: 1 } }), 25)
    const { tuned_algo_params: algo_param } = await trainer.recordOf(model)
    t.is(typeof algo_param.train_perf, 'number')
    t.is(await trainer.train(model, { algo_type, more: { algo_param } }), 25)
    const again = (await trainer.recordOf(model)).tuned_algo_params
    t.deepEqual({ ...again, train_perf: 0 }, { ...algo_param, train_perf: 0 })
  })
}
