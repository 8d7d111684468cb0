import test from 'ava'
import { isTaken } from '../../support/random/seed.ts'
import { startService } from '../../support/service.ts'
import { pointsCsv } from './data.ts'
import { type Asked, createTrainer } from './trainer.ts'

const service = await startService()
const { client } = service
const trainer = createTrainer(client)
test.after.always(() => service.close())

const points = pointsCsv(100)
  .trim()
  .split('\n')
  .map((line) => line.split(','))

async function train(model: string, asked: Asked, files: Readonly<Record<string, string>>): Promise<number> {
  for (const [file, text] of Object.entries(files)) await trainer.upload(model, text, file)
  return trainer.train(model, asked)
}

const ask = (model: string, input_format: string, data: string, more: Readonly<Record<string, unknown>> = {}) =>
  client.post('/ml/pred/2', { 'schema-name': 'shop', model_name: model, data_type: 2, input_format, data, ...more })
const predict = async (model: string, format: string, data: string) =>
  (await client.ok(ask(model, format, data))).predict_labels

const noList = { attr_list: undefined }
const texts = { target_idx: undefined, expected_format: undefined }

test('IE_SENT learns from TEXT, and is asked by a text alone or by name', async (t) => {
  const lines = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? `good\ta lovely day ${i}` : `bad\tawful rain ${i}`))
  const details = { ...texts, input_format: 'TEXT' }
  const asked = { algo_type: 'IE_SENT', details, more: noList }
  t.is(await train('sentiment', asked, { 'data.csv': `${lines.join('\n')}\n` }), 25)
  t.is(await predict('sentiment', 'TEXT', 'one lovely day'), 'good')
  t.is(await predict('sentiment', 'JSON', '{"text": "awful awful rain"}'), 'bad')
  const told = await client.ok(ask('sentiment', 'TEXT', 'bad\ta lovely day', { consider_target: 1 }))
  t.like(told, { predict_labels: 'good', user_pred_accuracy: 0, errorcode: 0 })
})

test('the label of a text is a number where a LONG is declared', async (t) => {
  const lines = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? `1,a lovely day ${i}` : `0,awful rain ${i}`))
  const attr_list = [
    { name: 'mood', position: 0, type: 9 },
    { name: 'said', position: 1, type: 5 },
  ]
  const details = { target_idx: 0 }
  t.is(await train('moods', { algo_type: 'IE', details, more: { attr_list } }, { 'data.csv': lines.join('\n') }), 25)
  t.is(await predict('moods', 'CSV', 'one lovely day'), 1)
  const told = await client.ok(ask('moods', 'CSV', '0,awful rain', { consider_target: 1 }))
  t.like(told, { predict_labels: 0, user_pred_accuracy: 100 })
})

test('IE_NER finds names with their offsets in UTF-16', async (t) => {
  const lines = Array.from({ length: 45 }, (_, i) => {
    const city = ['Oslo', 'Paris', 'Rome'][i % 3] ?? ''
    const entities = [{ start: 10, end: 10 + city.length, label: 'CITY' }]
    return JSON.stringify({ text: `I flew to ${city} yesterday`, entities })
  })
  const asked = { algo_type: 'IE_NER', details: { ...texts, input_format: 'JSON' }, more: noList }
  t.is(await train('names', asked, { 'data.csv': `{"labels": ["CITY"]}\n${lines.join('\n')}\n` }), 25)
  const asNames = [
    ['IE_NER', 0],
    ['IE', 0],
    ['IE_NER', undefined],
  ] as const
  for (const [algo_type, target_idx] of asNames.filter((_, i) => isTaken(i, 3))) {
    const more = { attr_list: [{ name: 'text', position: 0, type: 'STRING' }] }
    const details = { ...asked.details, ...(target_idx !== undefined && { target_idx }) }
    t.is(
      await train(`named_${algo_type}_${target_idx}`, { algo_type, details, more }, { 'data.csv': lines.join('\n') }),
      25,
    )
  }
  const [found, ...more] = await predict('names', 'JSON', '{"text": "😀 I flew to Rome yesterday"}')
  t.like(found, { text: 'Rome', tag: 'CITY', offset: 13 })
  t.true(found.score > 0.5 && found.score <= 1)
  t.deepEqual(more, [])
})

test('all files whose names begin so are one training', async (t) => {
  const details = { training_source_type: 'DIR', training_source: 'part' }
  const files = { part_1: pointsCsv(50, 1), part_2: pointsCsv(50, 2), other: 'no, points\n' }
  t.is(await train('folder', { algo_type: 'LIN', details }, files), 25)
  const rows = async () => {
    const { log } = (await trainer.recordOf('folder')).train_log
    return log.find((line: string) => line.startsWith('file reformat done'))
  }
  t.is(await rows(), 'file reformat done, 100 rows')
  // The predictions of one of the files, and the model's own files, are not trained on.
  await trainer.upload('folder', 'red\n', 'part_1.predict')
  t.is(await train('folder', { algo_type: 'LIN', details: { ...details, training_source: 'pa' } }, {}), 25)
  t.is(await rows(), 'file reformat done, 100 rows')
  const deeper = { 'more/1.csv': pointsCsv(30, 1), 'more/2/3.csv': pointsCsv(30, 2) }
  t.is(await train('folder', { algo_type: 'LIN', details: { ...details, training_source: 'more/' } }, deeper), 25)
  t.is(await rows(), 'file reformat done, 60 rows')
})

test('words are no hindrance where the format that a model expects is SVM', async (t) => {
  const csv = points.map((row) => row.join(',')).join('\n')
  for (const algo_type of ['SVM', 'LIN', 'KMEANS'].filter((_, i) => isTaken(i, 3))) {
    const labels = []
    for (const expected_format of ['CSV', 'SVM']) {
      const model = `words_${algo_type}_${expected_format}`
      const more = algo_type === 'KMEANS' ? { algo_param: { k: 2, seed: 1 } } : {}
      t.is(await train(model, { algo_type, details: { expected_format }, more }, { 'data.csv': csv }), 25)
      const lines = ['0.9,0.9,warm', '0.1,0.1,cold', '0.5,0.5,warm', '0.5,0.5,cold']
      labels.push(await Promise.all(lines.map((line) => ask(model, 'CSV', line, { expected_format }))))
    }
    const [csvLabels, svmLabels] = labels.map((answers) => answers.map(({ body }) => body.predict_labels))
    t.true(csvLabels?.every((label) => label !== undefined))
    t.deepEqual(svmLabels, csvLabels)
  }
})

test('KV goes by names, in any order', async (t) => {
  const lines = points.map(([a, b, colour, label]) => `label:${label} colour:${colour} b:${b} a:${a}`)
  const asked = { algo_type: 'LIN', details: { input_format: 'KV' } }
  t.is(await train('pairs', asked, { 'data.csv': lines.join('\n') }), 25)
  t.is(await predict('pairs', 'KV', 'colour:warm b:0.9 a:0.9'), 'red')
  const { status, body } = await ask('pairs', 'KV', 'b:0.9 a:much colour:warm')
  t.is(status, 400)
  t.regex(body.error[0], /attribute 'a': 'much' is no number/)
})

test('a row to predict names each attribute of the model; a value that is missing is null, or nothing', async (t) => {
  t.is(await train('gaps', { algo_type: 'LIN' }, { 'data.csv': pointsCsv(60) }), 25)
  t.is(await predict('gaps', 'JSON', '{"a": 0.9, "b": null, "colour": null}'), 'red')
  t.is(await predict('gaps', 'KV', 'a:0.9 b: colour:'), 'red')
  for (const [format, row] of [
    ['JSON', '{"a": 0.9, "B": 0.9, "colour": null}'],
    ['KV', 'a:0.9 B:0.9 colour:'],
  ] as const) {
    const { status, body } = await ask('gaps', format, row)
    t.is(status, 400, row)
    t.regex(body.error[0], /the row lacks b; a value that is missing is null/)
  }
  for (const [format, row] of [
    ['JSON', '{"A": 0.9}'],
    ['JSON', '{"label": "red"}'],
    ['KV', 'label:red'],
  ] as const) {
    const { status, body } = await ask('gaps', format, row)
    t.is(status, 400, row)
    t.regex(body.error[0], /names none of the attributes a, b, colour/)
  }
})

test('a target that no name has keeps nobody from predicting by names', async (t) => {
  const attr_list = ['a', 'b', 'colour'].map((name, position) => ({ name, position }))
  t.is(await train('unnamed', { algo_type: 'LIN', more: { attr_list } }, { 'data.csv': pointsCsv(60) }), 25)
  t.is(await predict('unnamed', 'JSON', '{"a": 0.9, "b": 0.9, "colour": null}'), 'red')
  const { status, body } = await ask('unnamed', 'JSON', '{"a": 0.9, "b": 0.9, "colour": null}', { consider_target: 1 })
  t.is(status, 400)
  t.regex(body.error[0], /JSON needs its name/)
})

test('the outline of one class needs no target, and tells 1 inside and -1 outside', async (t) => {
  const attr_list = ['a', 'b'].map((name, position) => ({ name, position, type: 'DOUBLE' }))
  const lines = points.map(([a, b]) => `${a},${b}\n`).join('')
  const more = { attr_list, algo_param: { svm_type: 'one_class', nu: 0.1 } }
  const asked = { algo_type: 'SVM', details: { target_idx: undefined }, more }
  t.is(await train('outline', asked, { 'data.csv': lines }), 25)
  t.is(await predict('outline', 'CSV', '0,0'), 1)
  t.is(await predict('outline', 'CSV', '9,9'), -1)
})
