import { createHash } from 'node:crypto'
import test from 'ava'
import { readDescription } from '../../../learn/description.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { lineAttributes, lineCsv, pointsCsv } from './data.ts'
import { createTrainer, requestOf } from './trainer.ts'

const service = await startService({ MAX_MODEL_VERSIONS: '2' })
const { client, url } = service
const trainer = createTrainer(client)
test.after.always(() => service.close())

const cardOf = (model: string) => client.ok(client.get(`/ml/shop/${model}`))
const predict = (model: string, more: object) =>
  client.ok(client.post('/ml/pred/2', { 'schema-name': 'shop', model_name: model, input_format: 'JSON', ...more }))
const put = (model: string, body: object) => client.send('PUT', `/ml/shop/${model}/version`, body)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test('a card says what a model predicts, from what, how well and since when, and its example is predicted', async (t) => {
  const data = pointsCsv(200)
  await trainer.upload('card', data)
  for (const algo_type of ['LIN', 'TREE', 'SVM']) t.is(await trainer.train('card', { algo_type }), 25)
  const card = await cardOf('card')
  t.like(card, {
    'schema-name': 'shop',
    model_name: 'card',
    algo_type: 'SVM',
    task: 'classes',
    target: 'label',
    labels: ['blue', 'red'],
    source: {
      training_source_type: 'FILE',
      bucket_name: 'ml_bucket_info',
      training_source: 'card__shop__data.csv',
    },
    num_attributes: 3,
    version: 3,
    num_versions: 2,
    rows: 200,
    data_fingerprint: `sha256:${sha256(data)}`,
  })
  t.deepEqual(card.attributes, [
    { name: 'a', kind: 'number' },
    { name: 'b', kind: 'number' },
    { name: 'colour', kind: 'word' },
  ])
  t.is(card.metrics.rows, 40)
  t.true(card.since >= card.train_end_ts)
  t.is(typeof card.parameters, 'object')
  t.regex(card.input_example, /^\{"a":-?0\.\d+,"b":-?0\.\d+,"colour":"(warm|cold)"\}$/)
  t.true(['red', 'blue'].includes((await predict('card', { data: card.input_example })).predict_labels))
  t.is((await client.get('/ml/shop/absent')).status, 404)
})

test('the example of a card has a date as it stands in the data, and is predicted', async (t) => {
  const rows = Array.from(
    { length: 60 },
    (_, i) => `2026-01-${String(1 + (i % 28)).padStart(2, '0')},${i},${i % 2 ? 'odd' : 'even'}`,
  )
  await trainer.upload('dated', ['day,number,label', ...rows].join('\n'))
  const training_details = {
    training_source_type: 'FILE',
    training_source: 'data.csv',
    input_format: 'CSV',
    target: 'label',
  }
  const asked = { 'schema-name': 'shop', model_name: 'dated', algo_type: 'TREE', training_details }
  await client.ok(client.post('/ml/train', asked))
  t.is(await trainer.ended('dated'), 25)
  const { input_example: data } = await cardOf('dated')
  t.regex(data, /^\{"day":"2026-01-\d\d","number":\d+\}$/)
  t.not((await predict('dated', { data })).predict_labels, undefined)
})

test('cards of texts, numbers, clusters and sparse data have examples that are predicted', async (t) => {
  const texts = Array.from({ length: 60 }, (_, i) =>
    JSON.stringify({ label: i % 2 ? 'x' : 'y', text: `${i % 2} of ${i}` }),
  )
  const sparse = Array.from({ length: 100 }, (_, i) => `${i % 2 ? 1 : -1} ${i % 2 ? 3 : 7}:${1 + (i % 5)}`)
  const bare = { target_idx: undefined }
  const models = [
    [
      'texts',
      'IE',
      texts.join('\n'),
      { ...bare, input_format: 'JSON', expected_format: 'JSON' },
      { attr_list: undefined },
      'classes',
    ],
    ['line', 'LIN', lineCsv(100), { target_idx: 1 }, { attr_list: lineAttributes }, 'numbers'],
    ['kinds', 'KMEANS', pointsCsv(100), bare, { algo_param: { k: 2 } }, 'clusters'],
    [
      'sparse',
      'LIN',
      sparse.join('\n'),
      { ...bare, input_format: 'SVM', expected_format: 'SVM' },
      { attr_list: undefined },
      'classes',
    ],
  ] as const
  for (const [model, algo_type, data, details, more, task] of models) {
    await trainer.upload(model, `${data}\n`)
    t.is(await trainer.train(model, { algo_type, details, more }), 25, model)
    const card = await cardOf(model)
    t.is(card.task, task)
    t.not((await predict(model, { data: card.input_example })).predict_labels, undefined, model)
  }
})

test('an example has all attributes of a model, or is left out with a sentence', async (t) => {
  for (const [width, isThere] of [
    [150, true],
    [1_001, false],
  ] as const) {
    const model = `wide_${width}`
    const attr_list = Array.from({ length: width + 1 }, (_, position) => ({
      name: `a${position}`,
      position,
      type: 'DOUBLE',
    }))
    const row = (i: number) => attr_list.map(({ position }) => (i * (position + 3)) % 7).join(',')
    await trainer.upload(model, Array.from({ length: 20 }, (_, i) => `${row(i)}\n`).join(''))
    t.is(await trainer.train(model, { algo_type: 'LIN', details: { target_idx: width }, more: { attr_list } }), 25)
    const card = await cardOf(model)
    t.is(card.num_attributes, width)
    if (isThere) t.is(typeof (await predict(model, { data: card.input_example })).predict_labels, 'number')
    else t.is(card.input_example, undefined)
    const left = /the model has 1,001 attributes: input_example is left out, as a line to predict has all of them/
    t.is(left.test(String(card.notes)), !isThere)
  }
})

test('the list has every model, also one that was never published', async (t) => {
  await client.ok(client.post('/ml/train', { ...requestOf('none', { algo_type: 'LIN' }), 'schema-name': 'a' }))
  await trainer.upload('listed', pointsCsv(60))
  t.is(await trainer.train('listed', { algo_type: 'LIN' }), 25)
  const { models, num_models } = await client.ok(client.get('/ml'))
  t.is(models.length, num_models)
  const found = (model: string) => models.find(({ model_name }: { model_name: string }) => model_name === model)
  t.like(found('none'), { 'schema-name': 'a', algo_type: 'LIN', num_versions: 0, version: undefined })
  t.like(found('listed'), {
    algo_type: 'LIN',
    task: 'classes',
    target: 'label',
    version: 1,
    num_versions: 1,
    train_req_state: 25,
  })
})

test('the file of a model is an ONNX file with a name and a tag', async (t) => {
  await trainer.upload('file', pointsCsv(60))
  for (const algo_type of ['LIN', 'TREE']) t.is(await trainer.train('file', { algo_type }), 25)
  const ask = (query = '', headers = {}, method = 'GET') =>
    fetch(`${url}/ml/shop/file/model.onnx${query}`, { method, headers })
  const answer = await ask()
  t.is(answer.headers.get('content-disposition'), 'attachment; filename="file.onnx"')
  t.is(answer.headers.get('content-type'), 'application/octet-stream')
  const bytes = Buffer.from(await answer.arrayBuffer())
  t.is(readDescription(bytes).algorithm, 'TREE')
  const tag = answer.headers.get('etag') ?? ''
  t.is((await ask('', { 'if-none-match': tag, 'cache-control': 'max-age=0' })).status, 304)
  const head = await ask('', {}, 'HEAD')
  t.deepEqual([head.status, head.headers.get('content-length')], [200, String(bytes.byteLength)])
  const older = await ask('?version=1')
  t.not(older.headers.get('etag'), tag)
  t.is(readDescription(Buffer.from(await older.arrayBuffer())).algorithm, 'LIN')
  t.is((await ask('?version=9')).status, 404)
})

test('versions have aliases, which take the place of numbers, and keep their version from being removed as the oldest', async (t) => {
  await trainer.upload('named', pointsCsv(60))
  for (const algo_type of ['LIN', 'TREE']) t.is(await trainer.train('named', { algo_type }), 25)
  const versions = async () => (await client.ok(client.get('/ml/shop/named/versions'))).versions

  t.like((await put('named', { version: 1, alias: 'champion' })).body, {
    msg: 'version 1 of model named is named champion',
  })
  t.like(await versions(), [
    { version: 2, current: true, alias: undefined, algo_type: 'TREE', rows: 60 },
    { version: 1, current: false, alias: 'champion', algo_type: 'LIN', rows: 60 },
  ])
  t.regex((await versions())[0].data_fingerprint, /^sha256:[0-9a-f]{64}$/)
  t.is(typeof (await versions())[1].parameters, 'object')

  t.is(await trainer.train('named', { algo_type: 'LIN' }), 25)
  t.deepEqual(
    (await versions()).map(({ version }: { version: number }) => version),
    [3, 1],
  )

  t.is((await put('named', { version: 'champion' })).status, 200)
  t.like(await cardOf('named'), { version: 1, alias: 'champion' })
  t.is((await put('named', { version: 3 })).status, 200)
  t.is((await put('named', { alias: 'champion' })).status, 200)
  t.is((await cardOf('named')).version, 1)

  t.is((await put('named', { version: 3, alias: 'champion' })).status, 200)
  t.like(await versions(), [
    { version: 3, alias: 'champion' },
    { version: 1, alias: undefined },
  ])
  t.is((await put('named', { version: null, alias: 'champion' })).status, 200)
  const gone = await put('named', { version: 'champion' })
  t.is(gone.status, 404)
  t.deepEqual(gone.body.error, ['model named has no alias champion; there are none, and the versions 1, 3'])
  for (const bad of [{}, { version: 0 }, { version: 1, alias: '7' }, { version: 1, alias: '' }, { version: '!' }]) {
    t.is((await put('named', bad)).status, 400, JSON.stringify(bad))
  }
})

test('a version is removed, and the current one is not; the record of changes says so', async (t) => {
  await trainer.upload('less', pointsCsv(60))
  for (const algo_type of ['LIN', 'TREE']) t.is(await trainer.train('less', { algo_type }), 25)
  await client.ok(put('less', { version: 1, alias: 'old' }))
  const remove = (name: string) => client.send('DELETE', `/ml/shop/less/versions/${name}`)
  const refused = await remove('2')
  t.deepEqual([refused.status, refused.body.errcode], [409, -4])
  t.regex(refused.body.error[0], /^version 2 of model less is current/)
  t.is((await remove('7')).status, 404)
  t.like((await remove('old')).body, { msg: 'version 1 of model less is removed', errcode: 0 })
  t.is((await remove('1')).status, 404)
  t.is((await client.ok(client.get('/ml/shop/less/versions'))).num_versions, 1)
  t.is((await put('less', { version: 'old' })).status, 404)
  const { changes } = await client.ok(client.get('/audit?limit=1000'))
  const details = changes.map(({ detail }: { detail: string }) => detail)
  t.true(details.includes('version 1 removed') && details.includes('version 1 named old'), details.join('\n'))
})

test('a prediction asks the version that it names, by number or alias, and the current one without a name', async (t) => {
  await trainer.upload('named_by', pointsCsv(60))
  t.is(await trainer.train('named_by', { algo_type: 'TREE' }), 25)
  await trainer.upload('named_by', pointsCsv(60).replaceAll('red', 'green'))
  t.is(await trainer.train('named_by', { algo_type: 'TREE' }), 25)
  await client.ok(put('named_by', { version: 1, alias: 'old' }))
  const { input_example: data } = await cardOf('named_by')
  const labelled =
    pointsCsv(60)
      .split('\n')
      .find((line) => line.endsWith('red')) ?? ''
  const row = labelled.slice(0, labelled.lastIndexOf(','))
  const [a, b, colour] = row.split(',')
  const line = JSON.stringify({ a: Number(a), b: Number(b), colour })
  const said = async (version?: unknown) =>
    (await predict('named_by', { data: line, ...(version !== undefined && { version }) })).predict_labels
  t.deepEqual([await said(), await said(1), await said('old'), await said(2)], ['green', 'red', 'red', 'green'])
  const ask = (version: unknown) =>
    client.post('/ml/pred/2', { 'schema-name': 'shop', model_name: 'named_by', input_format: 'JSON', data, version })
  t.deepEqual([(await ask(7)).status, (await ask('new')).status, (await ask('2')).status], [404, 404, 200])
  for (const version of ['!', 0.5]) {
    const { status, body } = await ask(version)
    t.is(status, 400)
    t.regex(body.error.join(), /^version.* must be/)
  }

  await client.send('PUT', '/brs/ml_bucket_info/object/named_by__shop__rows', `${row}\n`)
  const file = { 'schema-name': 'shop', model_name: 'named_by', data: 'rows', version: 'old' }
  await client.ok(client.post('/ml/pred/1', file))
  await until('the prediction', async () => {
    const { pred_req_state } = await client.ok(client.get('/ml/shop/named_by/rows/status'))
    return pred_req_state === 25
  })
  t.is((await client.send('GET', '/brs/ml_bucket_info/object/named_by__shop__rows.predict')).text, 'red\n')
  t.is((await client.post('/ml/pred/1', { ...file, version: 9 })).status, 404)
})

test('a model has 100 aliases at most', async (t) => {
  await trainer.upload('many', pointsCsv(60))
  t.is(await trainer.train('many', { algo_type: 'TREE' }), 25)
  for (let i = 0; i < 100; i++) await client.ok(put('many', { version: 1, alias: `a${i}` }))
  const refused = await put('many', { version: 1, alias: 'b' })
  t.is(refused.status, 409)
  t.regex(refused.body.error[0], /has 100 aliases, as many as there may be/)
  t.is((await put('many', { version: 1, alias: 'a7' })).status, 200)
})
