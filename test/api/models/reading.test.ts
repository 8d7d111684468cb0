import test from 'ava'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { createTrainer } from './trainer.ts'

const service = await startService()
const { client } = service
test.after.always(() => service.close())
const trainer = createTrainer(client)

const numbers = Array.from({ length: 60 }, (_, i) => [i, (i * 7) % 60, i >= 30 ? 'hi' : 'lo'] as const)
const csv = (header: string) => `${header}\n${numbers.map((cells) => cells.join(',')).join('\n')}\n`
const attr_list = [
  { name: 'a_1', position: 0 },
  { name: 'b', position: 1 },
  { name: 'y', position: 2 },
]

async function train(model: string, text: string, details: object = {}, more: object = {}) {
  await trainer.upload(model, text)
  const state = await trainer.train(model, {
    algo_type: 'TREE',
    details: { target_idx: 2, ...details },
    more: { attr_list, ...more },
  })
  const { train_log } = await trainer.recordOf(model)
  return { state, log: train_log.log.join('\n') as string }
}

test('a header that differs in case, blanks and punctuation is matched by name, and the log says so', async (t) => {
  const { state, log } = await train('alike', csv('A 1 (cm),B,"Y?"').replace('A 1 (cm)', 'A (1)'))
  t.is(state, 25, log)
  t.regex(log, /the first row is a header: columns are matched by name/)
  const { labels } = await client.ok(client.get('/ml/shop/alike/metrics'))
  t.deepEqual([...labels].sort(), ['hi', 'lo'])
})

test('a header that names other columns ends the training in state 12, with both lists', async (t) => {
  const { state, log } = await train('other', csv('Sepal (cm),b,y'))
  t.is(state, 12)
  t.regex(log, /names other columns: it has Sepal \(cm\), b, y; the attributes are a_1, b, y/)
})

test('header 0 takes a first row for data, header 1 wants names', async (t) => {
  const plain = numbers.map((cells) => cells.join(',')).join('\n')
  t.is((await train('one', plain, { header: 1 })).state, 12)
  t.is((await train('zero', plain, { header: 0 })).state, 25)
})

test('without attr_list the header names the attributes, and target names the target', async (t) => {
  await trainer.upload('named', csv('first one,B,outcome'))
  const body = {
    'schema-name': 'shop',
    model_name: 'named',
    algo_type: 'LIN',
    training_details: {
      training_source_type: 'FILE',
      training_source: 'data.csv',
      input_format: 'CSV',
      target: 'outcome',
    },
  }
  await client.ok(client.post('/ml/train', body))
  t.is(await trainer.ended('named'), 25)
  const line = JSON.stringify({ 'first one': 59, B: 1 })
  const asked = { 'schema-name': 'shop', model_name: 'named', input_format: 'JSON', data: line }
  t.is((await client.ok(client.post('/ml/pred/2', asked))).predict_labels, 'hi')
  const wrong = await client.post('/ml/train', {
    ...body,
    attr_list,
    training_details: { ...body.training_details, target: 'outcom' },
  })
  t.is(wrong.status, 400)
})

test('bad rows fail a training that names them, or are left out up to a share', async (t) => {
  const bad = csv('a_1,b,y').replace('\n5,', '\nfive,')
  const failed = await train('bad', bad)
  t.is(failed.state, 12)
  t.regex(failed.log, /line 7, column 1, attribute 'a_1': 'five' is no number/)
  const left = await train('left', bad, { bad_rows: 'skip' })
  t.is(left.state, 25)
  t.regex(left.log, /bad rows left out, 1 of 60 rows: line 7/)
  t.is((await train('many', bad, { bad_rows: 'skip', max_bad_share: 0.01 })).state, 12)
  t.is((await train('gap', bad, { missing: ['FIVE'] })).state, 25)
})

test('data that may be meant otherwise are told in the status and in the log', async (t) => {
  const text = `a_1,b,y\n${numbers.map(([a, b, y]) => `${a}%,${b},${y}`).join('\n')}\n`
  const { state, log } = await train('percent', text)
  t.is(state, 25)
  t.regex(log, /attribute 'a_1': 60 of 60 cells look like percentages, such as '0%'/)
  const { notes } = await trainer.statusOf('percent')
  t.regex(notes.join(), /^attribute 'a_1': 60 of 60 cells look like percentages/)
  t.deepEqual((await trainer.recordOf('percent')).notes, notes)
  await train('plain', csv('a_1,b,y'))
  t.false('notes' in (await trainer.statusOf('plain')))
})

test('a status has twenty sentences about the data at most, and says how many more there are', async (t) => {
  const names = Array.from({ length: 25 }, (_, i) => `c${i}`)
  const lines = numbers.map(([a, , y]) => `${names.map((_, i) => `${(a ?? 0) + i}%`).join()},${y}`)
  const list = [...names, 'y'].map((name, position) => ({ name, position }))
  const text = `${names.join()},y\n${lines.join('\n')}\n`
  t.is((await train('wide', text, { target_idx: 25 }, { attr_list: list })).state, 25)
  const { notes } = await trainer.statusOf('wide')
  t.is(notes.length, 21)
  t.is(notes.at(-1), 'and 5 more, which the log has')
})

test('task decides between classes and numbers', async (t) => {
  const whole = numbers.map(([a, b]) => `${a},${b},${a % 30}`).join('\n')
  const { state, log } = await train('numbers', whole)
  t.is(state, 25)
  t.regex(log, /more than 20 different values, taken as numbers/)
  t.true('rmse' in (await client.ok(client.get('/ml/shop/numbers/metrics'))))
  const line = { 'schema-name': 'shop', model_name: 'numbers', data: '3,21' }
  t.is((await client.post('/ml/pred/2', line)).status, 200)
  const between = await client.post('/ml/pred/2', { ...line, threshold: 0.5 })
  t.is(between.status, 400)
  t.regex(between.body.error.join(), /threshold decides between two classes, and the model has numbers/)
  await train('classes', whole, { task: 'classify' })
  t.true('labels' in (await client.ok(client.get('/ml/shop/classes/metrics'))))
  const refused = await client.post('/ml/train', {
    ...body(),
    training_details: { ...body().training_details, task: 'guess' },
  })
  t.regex(refused.body.error.join(), /task: must be one of classify, regress/)
})

test('words of a column have a place each, and with buckets they are hashed, which the log says', async (t) => {
  const rows = Array.from({ length: 400 }, (_, i) => `word ${i % 100},${i},${i % 100 < 50 ? 'low' : 'high'}`)
  const words = rows.join('\n')
  const tree = await train('split', words)
  t.is(tree.state, 25)
  t.regex(tree.log, /attribute 'a_1': 100 categories, split by the share of 'low'/)
  const { accuracy } = await client.ok(client.get('/ml/shop/split/metrics'))
  t.true(accuracy > 0.95, `${accuracy}`)
  const labelOf = async (word: string) => {
    const data = JSON.stringify({ a_1: word, b: null })
    const line = { 'schema-name': 'shop', model_name: 'split', input_format: 'JSON', data }
    return (await client.ok(client.post('/ml/pred/2', line))).predict_labels
  }
  t.deepEqual([await labelOf('word 3'), await labelOf('word 97')], ['low', 'high'])
  const hashed = await train('hashed', words, { buckets: 300 }, { algo_type: 'LIN' })
  t.is(hashed.state, 25)
  t.regex(hashed.log, /attribute 'a_1': words hashed into 300 buckets, as the request asks/)
  const refused = await client.post('/ml/train', {
    ...body(),
    training_details: { ...body().training_details, buckets: 1 },
  })
  t.regex(refused.body.error.join(), /training_details.buckets: must be a whole number from 2 to 65536/)
})

const body = () => ({
  'schema-name': 'shop',
  model_name: 'refused',
  algo_type: 'TREE',
  attr_list,
  training_details: { training_source_type: 'FILE', training_source: 'd', input_format: 'CSV', target_idx: 2 },
})

test('a threshold decides between two classes, and a file is written with keys, probabilities and failures', async (t) => {
  t.is((await train('two', csv('a_1,b,y'))).state, 25)
  const line = (threshold?: number) =>
    client.post('/ml/pred/2', {
      'schema-name': 'shop',
      model_name: 'two',
      data: '3,21',
      ...(threshold !== undefined && { threshold }),
    })
  t.is((await client.ok(line())).predict_labels, 'lo')
  // The greater label is lo.
  t.is((await client.ok(line(1))).predict_labels, 'hi')
  t.is((await line(2)).status, 400)

  await client.send('PUT', '/brs/ml_bucket_info/object/two__shop__rows.csv', 'a_1,b\n3,21\n\nbad,1\n59,1\n')
  const predicted = async (predict_format: string) => {
    await client.ok(
      client.post('/ml/pred/1', { 'schema-name': 'shop', model_name: 'two', data: 'rows.csv', predict_format }),
    )
    const status = () => client.ok(client.get('/ml/shop/two/rows.csv/status'))
    for (let state = 0; state !== 25; state = (await status()).pred_req_state) t.true(state === 0 || state >= 20)
    const { num_rows, num_failed } = await status()
    t.deepEqual([num_rows, num_failed], [3, 1])
    return (await client.send('GET', '/brs/ml_bucket_info/object/two__shop__rows.csv.predict')).text
  }
  t.is(await predicted('lines'), 'lo\n\n\nhi\n')
  const lines = (await predicted('json'))
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text))
  t.like(lines[0], { key: 2, label: 'lo' })
  t.is(Math.round(lines[0].probabilities.lo + lines[0].probabilities.hi), 1)
  t.deepEqual(lines[1], { key: 4, failure: "line 4, column 1, attribute 'a_1': 'bad' is no number" })
  const table = (await predicted('csv')).trim().split('\n')
  t.is(table[0], 'key,label,p(lo),p(hi),failure')
  t.regex(table[1] ?? '', /^2,lo,[0-9.e-]+,[0-9.e-]+,$/)
  t.regex(table[2] ?? '', /^4,,,,"line 4/)
  t.like(JSON.parse((await predicted('probabilities')).split('\n')[0] ?? ''), { predict_labels: 'lo' })
  const refused = await client.post('/ml/pred/1', {
    'schema-name': 'shop',
    model_name: 'two',
    data: 'rows.csv',
    predict_format: 'xml',
  })
  t.regex(refused.body.error.join(), /predict_format: must be one of lines, csv, json, probabilities/)
})

test('members that would do nothing are told beside the success', async (t) => {
  const told = async (algo_type: string, details: object, more: object = {}) => {
    const training_details = { ...body().training_details, ...details }
    const answer = await client.ok(
      client.post('/ml/train', { ...body(), model_name: 'idle', algo_type, ...more, training_details }),
    )
    await trainer.ended('idle')
    return (answer.error ?? []).join('\n')
  }
  t.is(await told('TREE', { header: 0, missing: ['x'], bad_rows: 'skip', max_bad_share: 0.1 }), '')
  t.is(await told('TREE', {}, { header: 0, missing: ['x'], bad_rows: 'skip', target: 'y' }), '')
  t.is(
    await told('TREE', { max_bad_share: 0.1 }),
    'training_details.max_bad_share does nothing: bad_rows is not "skip"',
  )
  t.is(
    await told('TREE', { input_format: 'JSON', header: 1 }),
    'training_details.header does nothing: JSON has no header',
  )
  t.is(
    await told(
      'SVM',
      { input_format: 'SVM', missing: ['x'], bad_rows: 'skip', buckets: 9 },
      { attr_list: undefined, scale: 1 },
    ),
    [
      'training_details.target_idx does nothing: a line of SVM begins with the label',
      'scale does nothing: LIBSVM data without attr_list stay as they are',
      'training_details.missing does nothing: LIBSVM data without attr_list stay as they are',
      'training_details.buckets does nothing: LIBSVM data without attr_list stay as they are',
      'training_details.bad_rows does nothing: a broken row of LIBSVM data without attr_list fails the training',
    ].join('\n'),
  )
})

test('a file with a threshold that the model cannot take fails at once, with the reason', async (t) => {
  t.is((await train('bare', csv('a_1,b,y'), {}, { algo_type: 'SVM' })).state, 25)
  await client.send('PUT', '/brs/ml_bucket_info/object/bare__shop__rows.csv', '3,21\n')
  await client.ok(
    client.post('/ml/pred/1', { 'schema-name': 'shop', model_name: 'bare', data: 'rows.csv', threshold: 0.5 }),
  )
  const ended = await until('the prediction', async () => {
    const status = await client.ok(client.get('/ml/shop/bare/rows.csv/status'))
    return status.pred_req_state < 20 || status.pred_req_state === 25 ? status : undefined
  })
  t.is(ended.pred_req_state, 18)
  t.regex(ended.error.join(), /threshold needs probabilities.*SVM: probability 1/)
})

test('notes about texts and LIBSVM are in the status, those of a version are listed with it, and attributes without any value are refused', async (t) => {
  const texts = Array.from({ length: 40 }, (_, i) => `${i % 2 ? 'good fine' : 'bad poor'} ${i},${i % 2 ? 'a' : 'b'}\n`)
  await trainer.upload('texts', `Nachricht,Art\n${texts.join('')}`)
  const attr_list = ['text', 'label'].map((name, position) => ({ name, position }))
  await trainer.train('texts', { algo_type: 'IE', details: { target_idx: 1 }, more: { attr_list } })
  const { notes } = await trainer.statusOf('texts')
  t.regex(notes.join(), /^the first row \(Nachricht, Art\) is taken for data, and may be a header/)
  const { versions } = await client.ok(client.get('/ml/shop/texts/versions'))
  t.deepEqual(versions[0].notes, notes)
  t.deepEqual((await client.ok(client.get('/ml/shop/texts'))).notes, notes)

  await trainer.upload('lines', Array.from({ length: 40 }, (_, i) => `${i % 2} 1:${i} 2:${i % 7}\n`).join(''))
  const plain = { target_idx: undefined, input_format: 'SVM', expected_format: 'SVM' }
  await trainer.train('lines', { algo_type: 'LIN', details: plain, more: { attr_list: undefined } })
  t.regex((await trainer.statusOf('lines')).notes.join(), /^target: whole numbers with 2 different values/)

  await trainer.upload('absent', numbers.map(([a, b, y]) => `${JSON.stringify({ a, b, y })}\n`).join(''))
  const names = ['aa', 'bb', 'y'].map((name, position) => ({ name, position }))
  const asked = { algo_type: 'TREE', details: { target_idx: 2, input_format: 'JSON' }, more: { attr_list: names } }
  t.is(await trainer.train('absent', asked), 12)
  t.is((await trainer.statusOf('absent')).reason, 'no row has a value of any attribute: aa, bb')
})
