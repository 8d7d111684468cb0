import test from 'ava'
import { fitSvm } from '../../../learn/algorithms/svm/fit-svm.ts'
import { addSvmGraph } from '../../../learn/algorithms/svm/graph/svm-graph.ts'
import { predictSvm } from '../../../learn/algorithms/svm/predict-svm.ts'
import { svmParameters } from '../../../learn/algorithms/svm/svm-parameters.ts'
import {
  assembleEntities,
  assembleTextClasses,
  fitEntities,
  fitTextClasses,
  type TaggedText,
  tagText,
  textParameters,
} from '../../../learn/algorithms/text/index.ts'
import { assembleModel } from '../../../learn/assemble.ts'
import { encodeRange } from '../../../learn/encoding/numbers.ts'
import { decodeParameters } from '../../../learn/parameters.ts'
import { signModel, sumModel } from '../../activities/prediction/models.ts'
import { classes, matrix, rowsOf, watch } from '../../learn/algorithms/svm/data.ts'
import { marked, places } from '../../learn/algorithms/text/corpora.ts'
import { openModelShelf } from '../../support/model-shelf.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const service = await startService()
const { client } = service
const shelf = await openModelShelf({ DATA_DIR: service.folder })
await shelf.publish('shop', 'sum', sumModel())
await shelf.publish('shop', 'age', signModel())
await shelf.publish('shop', 'numbered', signModel([1, 2]))
test.after.always(async () => {
  await service.close()
  await shelf.close()
})

const predict = (model: string, data: string, more: Readonly<Record<string, unknown>> = {}) =>
  client.post('/ml/pred/2', { 'schema-name': 'shop', model_name: model, input_format: 'CSV', data, ...more })

/** The sum model: age / 50 - 1, height * 2 - 3, and 1 for Rome or Oslo. */
const lines: readonly (readonly [format: unknown, data: string, label: number])[] = [
  ['CSV', '100,Rome,2', 3],
  [1, '50,Paris,1.5', 0],
  ['1', '50,Oslo,1.5', 1],
  ['csv', '100,"Rome",', 2],
  ['JSON', '{"height": 2, "age": 100, "city": "Rome"}', 3],
  [3, '{"age": "50", "city": "Oslo", "height": 1.5, "other": [1]}', 1],
  ['KV', 'age:100 city:Rome height:2', 3],
]

for (const [format, data, label] of lines) {
  test(`a number is predicted for ${data} in format ${JSON.stringify(format)}`, async (t) => {
    const { status, body } = await predict('sum', data, { input_format: format })
    t.is(status, 200, JSON.stringify(body))
    const notes = data.includes('Paris') && ["attribute 'city': 'Paris' is a word that training did not see"]
    t.deepEqual(body, { predict_labels: label, mean_sq_err: 0, sq_cor_coef: 0, ...(notes && { notes }), errorcode: 0 })
  })
}

test('every other field is taken by code and by name', async (t) => {
  for (const more of [
    { data_type: 2, attr_type: 3, algo_type: 'SVM', expected_format: 0 },
    { data_type: '2', attr_type: 'HYB', algo_type: 'kmeans', expected_format: 'LIBSVM' },
    { data_type: 'line', attr_type: 'string', algo_type: 'lin', expected_format: 'json' },
  ]) {
    const { body } = await predict('sum', '100,Rome,2', more)
    t.is(body.predict_labels, 3, JSON.stringify(body))
  }
})

test('a member of the request that does nothing is told beside the prediction', async (t) => {
  const { status, body } = await predict('age', '80,Rome,2', { treshold: 0.9 })
  t.is(status, 200)
  t.like(body, {
    predict_labels: 'old',
    error: ['treshold is unknown and does nothing; did you mean threshold?'],
    errorcode: 0,
  })
})

test('classes come with their probabilities, a text label as a string, and the members that every answer has', async (t) => {
  t.deepEqual((await predict('age', '80,Rome,2')).body, {
    predict_labels: 'old',
    user_pred_accuracy: 0,
    mean_sq_err: 0,
    sq_cor_coef: 0,
    probabilities: { young: 0.25, old: 0.75 },
    errorcode: 0,
  })
  t.is((await predict('numbered', '20,Rome,2')).body.predict_labels, 1)
})

test('with consider_target the error fields compare with the target', async (t) => {
  const { body } = await predict('sum', '100,Rome,5,2', { consider_target: 1 })
  t.deepEqual(body, { predict_labels: 3, mean_sq_err: 4, sq_cor_coef: 0, errorcode: 0 })
  const { body: right } = await predict('age', '80,Rome,old,2', { consider_target: '1' })
  t.like(right, { user_pred_accuracy: 100, mean_sq_err: 0, sq_cor_coef: 0 })
  t.is((await predict('age', '80,Rome,young,2', { consider_target: 1 })).body.user_pred_accuracy, 0)
})

const refused: readonly (readonly [title: string, more: Record<string, unknown>, status: number, error: RegExp])[] = [
  ['a cell that is no number', { data: '100,Rome,tall' }, 400, /attribute 'height'.*'tall'/],
  ['a cell that is not a number', { data: '100,Rome,tall' }, 400, /attribute 'height'.*'tall'/],
  ['too few cells', { data: '100,Rome' }, 400, /3/],
  ['a member that is an object', { data: '{"age": {}}', input_format: 'JSON' }, 400, /attribute 'age'/],
  ['no JSON', { data: '{"age"', input_format: 'JSON' }, 400, /JSON/],
  ['no line', { data: '' }, 400, /no data/],
  ['two lines', { data: '1,a,1\n2,b,2' }, 400, /2 lines/],
  ['data that are no text', { data: 7 }, 400, /data: must be a string/],
  ['no data', { data: undefined }, 400, /data: is missing/],
  ['an unknown format', { input_format: 'XML' }, 400, /input_format: .*XML.*0 SVM, 1 CSV/],
  ['an unknown algorithm', { algo_type: 'MAGIC' }, 400, /algo_type: .*MAGIC.*SVM/],
  ['an unknown attr_type', { attr_type: 9 }, 400, /attr_type: .*9.*1 NUM/],
  ['a name that leaves its bucket', { model_name: '../sum' }, 400, /model_name/],
  ['a data_type of the other call', { data_type: 1 }, 400, /data_type/],
  ['a model that is not there', { model_name: 'none' }, 404, /no model none in schema shop/],
  ['a schema that is not there', { 'schema-name': 'none' }, 404, /no model sum in schema none/],
]

for (const [title, more, status, error] of refused) {
  test(`refused: ${title}`, async (t) => {
    const answer = await predict('sum', '100,Rome,2', more)
    t.is(answer.status, status, answer.text)
    t.regex(answer.body.error.join('\n'), error)
    t.true(answer.body.errcode < 0)
    t.is(answer.body.errorcode, answer.body.errcode)
  })
}

test('refused: a body that is no object, and an unknown kind of prediction', async (t) => {
  t.is((await client.post('/ml/pred/2', '[]')).status, 400)
  t.is((await client.post('/ml/pred/2', '{')).status, 400)
  t.is((await client.post('/ml/pred/7', {})).status, 400)
  t.is((await client.get('/ml/pred/2')).status, 405)
})

test('a new version of a model is used soon, and a removed model is a 404', async (t) => {
  await shelf.publish('shop', 'changing', signModel(['a', 'b']))
  t.is((await predict('changing', '80,Rome,2')).body.predict_labels, 'b')
  await shelf.publish('shop', 'changing', signModel(['c', 'd']))
  await until('the new version', async () => (await predict('changing', '80,Rome,2')).body.predict_labels === 'd')
  await shelf.remove('shop', 'changing')
  await until('the end of the model', async () => (await predict('changing', '80,Rome,2')).status === 404)
  t.pass()
})

test('a model whose file is gone or is no model fails alone', async (t) => {
  const { key } = await shelf.publish('shop', 'gone', sumModel())
  await shelf.objects.remove('weir_models', key)
  t.is((await predict('gone', '100,Rome,2')).status, 404)
  await shelf.publish('shop', 'broken', Buffer.from('no model'))
  t.is((await predict('broken', '100,Rome,2')).status, 400)
  t.is((await predict('sum', '100,Rome,2')).body.predict_labels, 3)
})

const attributes = ['a', 'b', 'c', 'd'].map((name, position) => ({ name, position, kind: 'number' as const }))
const asTheyAre = {
  numbers: attributes.map(({ name }) => encodeRange({ name, mean: 0, min: -1, max: 1, deviation: 1 }, false)),
  words: [],
}
const learnt = matrix(120, 4, 3)
const unseen = matrix(25, 4, 4)

test('an SVM answers over HTTP what LIBSVM decides, and its probabilities', async (t) => {
  const target = classes(learnt, 3, 5)
  const fitted = fitSvm(learnt, target, decodeParameters(svmParameters, { gamma: 0.5, probability: 1 }), watch)
  const { labels } = target
  const description = {
    weir: 1,
    algorithm: 'SVM',
    task: 'classes',
    attributes,
    separator: ',',
    outside: [],
    batch: 64,
  } as const
  const file = assembleModel({
    encoding: asTheyAre,
    description: { ...description, attributes: [...attributes], outside: [], labels: [...labels] },
    addAlgorithm: (graph, input) => addSvmGraph(graph, input, fitted),
  })
  await shelf.publish('shop', 'svm', file)
  const expected = predictSvm(fitted, unseen)
  for (const [i, row] of rowsOf(unseen).entries()) {
    const text = row.map((value, column) => `${column}:${value}`).join(' ')
    const { body } = await predict('svm', text, { input_format: 'SVM', algo_type: 'SVM' })
    t.is(body.predict_labels, labels[expected.values[i] ?? 0], JSON.stringify(body))
    for (const [place, label] of labels.entries()) {
      const share = expected.probabilities?.[i * labels.length + place] ?? Number.NaN
      t.true(Math.abs(body.probabilities[String(label)] - share) < 1e-12)
    }
  }
})

test('text classes and entities answer in their own forms', async (t) => {
  const parameters = decodeParameters(textParameters, {})
  const known = {
    algorithm: 'IE',
    attributes: [{ name: 'text', position: 1, kind: 'word' as const }],
    target: { name: 'label', position: 0, kind: 'word' as const },
    separator: ',',
    parameters,
  }
  const train = marked(120, 1).flatMap(({ text, entities }): TaggedText[] => {
    const tagged = tagText(text, entities)
    return 'reason' in tagged ? [] : [tagged]
  })
  await shelf.publish('shop', 'entities', assembleEntities(fitEntities(train, parameters, watch), known))
  const { body } = await predict('entities', 'Dr Kalo Miter of Banru Ltd will go Felville.', { input_format: 'TEXT' })
  t.like(body, { errorcode: 0 })
  t.like(body.predict_labels, [
    { text: 'Kalo Miter', tag: 'person', offset: 3 },
    { text: 'Banru Ltd', tag: 'company', offset: 17 },
    { text: 'Felville', tag: 'city', offset: 35 },
  ])
  const texts = places(200, 1)
  const labels = [...new Set(texts.map(({ label }) => label))]
  const model = fitTextClasses(
    texts.map(({ text }) => text),
    { kind: 'classes', labels, classes: Int32Array.from(texts, ({ label }) => labels.indexOf(label)) },
    parameters,
    watch,
  )
  await shelf.publish('shop', 'places', assembleTextClasses(model, known))
  const [{ text, label } = { text: '', label: '' }] = texts
  const answer = await predict('places', JSON.stringify({ text }), { input_format: 'JSON' })
  t.is(answer.body.predict_labels, label)
})

test('the probes count predictions and open models', async (t) => {
  await predict('sum', '100,Rome,2')
  const { text } = await client.get('/metrics')
  t.regex(text, /weir_prediction_seconds_count\{by="lines"\} [1-9]/)
  t.regex(text, /weir_model_sessions [1-9]/)
  t.regex(text, /weir_model_session_bytes [1-9]/)
})

test.serial('a line is predicted in about a millisecond', async (t) => {
  const median = (times: readonly number[]) => times.toSorted((a, b) => a - b)[times.length / 2] ?? 0
  const [predicting, living]: [number[], number[]] = [[], []]
  for (let i = 0; i < 300; i++) {
    const began = performance.now()
    await predict('sum', '100,Rome,2')
    const between = performance.now()
    await client.get('/health/live')
    predicting.push(between - began)
    living.push(performance.now() - between)
  }
  const [line, live] = [median(predicting), median(living)]
  t.log(`p50 ${line.toFixed(2)} ms, fetch included; ${live.toFixed(2)} ms of /health/live`)
  // A machine with much else to do is slow to answer anything.
  t.true(line < Math.max(20, 5 * live), `${line} ms beside ${live} ms`)
})
