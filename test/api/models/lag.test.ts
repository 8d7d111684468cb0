/** Models of series: trained on windows of a file or a stream, asked by name and by line. */
import test from 'ava'
import { createRandom, shuffle } from '../../../learn/random.ts'
import { startService } from '../../support/service.ts'
import { createTrainer } from './trainer.ts'

const service = await startService()
const { client } = service
test.after.always(() => service.close())
const trainer = createTrainer(client)

const [device, volt] = [
  { name: 'device', type: 'STRING' },
  { name: 'volt', type: 'DOUBLE' },
]
const stream = (name: string, ...attr: readonly object[]) => ({ name, type: 1, swsz: 0, attr })
const devices = { name: 'id', type: 5, iatr: ['device'] }
const streams = [
  {
    ...stream('readings', device, volt),
    enty: [{ name: 'of', opid: 3, ratr: ['volts'], iatr: ['volt'], pkatr: [devices], rstm: 'devices' }],
  },
  { name: 'devices', type: 4, inpt: ['readings'], attr: [] },
  stream('meters', device, { name: 'number', type: 'LONG' }, volt),
  stream('cells', device, volt),
  stream('others', device, { name: 'voltage', type: 'DOUBLE' }),
  stream('texts', { name: 'volt', type: 'STRING' }),
  stream('apart', { name: 'volt', type: 'LONG' }),
  stream('growing', volt),
]
test.before(() => client.register({ schema: 'shop', streams }))

type Members = Readonly<Record<string, unknown>>
type Row = { readonly day: string; readonly device: string; readonly volt: number }

/** Of each device x[t] = 0.8 x[t-1] - 0.2 x[t-2], from a start of its own; the rows of the file in any order. */
const random = createRandom(5)
const rows: Row[] = Array.from({ length: 40 }, (_, device) => {
  const values = [random.uniform() * 200 - 100, random.uniform() * 200 - 100]
  while (values.length < 12) values.push(0.8 * (values.at(-1) ?? 0) - 0.2 * (values.at(-2) ?? 0))
  return values.map((volt, i) => ({
    day: new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10),
    device: `d${device}`,
    volt,
  }))
}).flat()
const order = Int32Array.from(rows.keys())
shuffle(order, random)
const shuffled = Array.from(order, (place) => rows[place]).filter((row) => row !== undefined)
const csv = (some: readonly Row[]): string =>
  ['day,device,volt', ...some.map((row) => Object.values(row).join(',')), ''].join('\n')

/** As exact as the solver can: numbers as they are, no intercept, no price on weights. */
const exact = { C: 1e8, eps: 1e-12, bias: -1 }
const own = { lag: 2, time: 'day', uid: 'device' }

const attr_list = [
  { name: 'day', position: 0 },
  { name: 'device', position: 1 },
  { name: 'volt', position: 2, type: 'DOUBLE' },
]

const asked = (algo_param: Members, details: Members = {}, more: Members = {}, algo_type = 'PROJ_LIN') => ({
  algo_type,
  details: { target_idx: 2, ...details },
  more: { attr_list, scale: 0, algo_param, ...more },
})

async function trained(model: string, text: string | undefined, ...of: Parameters<typeof asked>) {
  if (text !== undefined) await trainer.upload(model, text)
  const state = await trainer.train(model, asked(...of))
  const { train_log, reason, tuned_algo_params: tuned } = await trainer.recordOf(model)
  const { body: metrics } = await client.get(`/ml/shop/${model}/metrics`)
  return { state, reason, tuned, log: train_log.log.join('\n') as string, metrics }
}

const line = (model: string, data: string, input_format = 'CSV', more: Members = {}) =>
  client.post('/ml/pred/2', { 'schema-name': 'shop', model_name: model, input_format, data, ...more })

async function predicted(model: string, data: string, input_format?: string): Promise<number> {
  return (await client.ok(line(model, data, input_format))).predict_labels
}

const near = (left: number, right: number, within = 1e-6): boolean => Math.abs(left - right) < within

test('a linear model finds the two weights of its series, from rows of forty devices in any order', async (t) => {
  const { state, log, metrics, tuned } = await trained('pair', csv(shuffled), { ...own, ...exact })
  t.is(state, 25, log)
  const [older, latest] = [await predicted('pair', '1,0'), await predicted('pair', '0,1')]
  t.true(near(older, -0.2) && near(latest, 0.8), `${older}, ${latest}`)
  t.true(near(await predicted('pair', '{"lag1": 1, "lag2": 0}', 'JSON'), 0.8))
  t.true(near(await predicted('pair', 'lag2:1 lag1:0', 'KV'), -0.2))
  t.regex(
    log,
    /480 values of 40 series by 'device', ordered by 'day', give 400 windows of 3 values \(lag 2, offset 0\)/,
  )
  t.regex(log, /80 windows of 400, the latest by 'day', are held out to measure the model/)
  t.deepEqual([metrics.holdout, metrics.rows, metrics.rows_learnt], [{ time: 'day', share: 0.2 }, 80, 320])
  t.true(
    metrics.rmse < 1e-6 && metrics.baseline_last > metrics.rmse && metrics.baseline > metrics.rmse,
    JSON.stringify(metrics),
  )
  t.like(tuned, { lag: 2, offset: 0, time: 'day', uid: 'device', p: 0 })
})

test('the card of a model of a series says what it predicts from what, and its example is a line that it takes', async (t) => {
  const { state, log } = await trained('card', csv(rows), own)
  t.is(state, 25, log)
  const card = await client.ok(client.get('/ml/shop/card'))
  t.like(card, { algo_type: 'PROJ_LIN', task: 'numbers', target: 'volt', num_attributes: 2, rows: 400 })
  t.deepEqual(card.series, { lag: 2, offset: 0, time: 'day', uid: 'device' })
  t.deepEqual(card.attributes, [
    { name: 'lag2', kind: 'number' },
    { name: 'lag1', kind: 'number' },
  ])
  t.is((await line('card', card.input_example, 'JSON')).status, 200)
})

test('with an offset of 1 a window predicts the value after the next one', async (t) => {
  const { state, log } = await trained('later', csv(rows), { ...own, ...exact, offset: 1 })
  t.is(state, 25, log)
  // x[t+1] = 0.8 (0.8 x[t-1] - 0.2 x[t-2]) - 0.2 x[t-1]
  const [older, latest] = [await predicted('later', '1,0'), await predicted('later', '0,1')]
  t.true(near(older, -0.16) && near(latest, 0.44), `${older}, ${latest}`)
})

for (const algo_type of ['LIN', 'SVM', 'TREE'])
  test(`${algo_type} learns numbers from windows where lag asks for it, and is tuned on blocks of time`, async (t) => {
    const model = `by_${algo_type}`
    const { state, log, metrics } = await trained(model, csv(rows), own, {}, { tune_params: 1, scale: 1 }, algo_type)
    t.is(state, 25, log)
    t.true(metrics.rmse < metrics.baseline, JSON.stringify(metrics))
    t.is(metrics.folds.values.length, 5)
    t.is(typeof (await predicted(model, '10,20')), 'number')
  })

test('whole series are held out by their uid, and rows of a file of their own are windows of their own', async (t) => {
  const group = await trained('group', csv(rows), { ...own, ...exact }, { holdout: { group: 'device', share: 0.1 } })
  t.is(group.state, 25, group.log)
  t.deepEqual([group.metrics.rows, group.metrics.rows_learnt], [40, 360])
  t.regex(group.log, /40 of 400 rows, the ones of 4 of 40 values of 'device', are held out/)
  await trainer.upload('file', csv(rows.slice(0, 24)), 'test.csv')
  const file = await trained('file', csv(rows.slice(24)), { ...own, ...exact }, { holdout: { file: 'test.csv' } })
  t.is(file.state, 25, file.log)
  t.deepEqual([file.metrics.rows, file.metrics.rows_learnt], [20, 380])
  t.regex(file.log, /20 windows of the file held out are measured, and never learnt from/)
})

test('rows without a time or a uid, and windows with a missing value, are left out and counted', async (t) => {
  const text = csv(rows)
    .replace(/(d1),[^\n]*/, '$1,')
    .replace(/(\d),d2,/, '$1,,')
    .replace(/\n[^\n,]*,d3,/, '\n,d3,')
  const { state, log } = await trained('gaps', text, own)
  t.is(state, 25, log)
  t.regex(log, /1 row without a value of 'day' left out/)
  t.regex(log, /1 row without a value of 'device' left out/)
  t.regex(log, /1 window with a missing value left out/)
})

test('the header names the attributes where attr_list does not, and rows of one time stay as they came', async (t) => {
  const day = '2024-03-01'
  const text = csv(Array.from({ length: 30 }, (_, i) => ({ day, device: 'x', volt: i })))
  const more = { attr_list: undefined }
  const { state, log } = await trained(
    'header',
    text,
    { lag: 3, time: 'Day' },
    { target_idx: undefined, target: 'VOLT' },
    more,
  )
  t.is(state, 25, log)
  t.regex(log, /29 rows with the 'day' of the row before: they stay in the order of the data/)
  t.regex(log, /all have one time, so that the order of the data decides/)
  t.true(near(await predicted('header', '40,41,42'), 43, 0.5))
  const { target, series } = await client.ok(client.get('/ml/shop/header'))
  t.deepEqual([target, series], ['volt', { lag: 3, offset: 0, time: 'day' }])
})

test('a series that is too short ends the training in state 18, which says how long it would have to be', async (t) => {
  const few = await trained('few', csv(rows.slice(0, 12)), { lag: 12, offset: 3, time: 'day' })
  t.deepEqual([few.state, few.reason], [18, 'series need 16 values; the longest has 12'])
  const holes = csv(rows.slice(0, 9).map((row, i) => (i % 3 === 2 ? { ...row, volt: Number.NaN } : row)))
  const none = await trained('holes', holes, { lag: 2, time: 'day' })
  const says = 'series need 3 values of which none is missing; the longest has 9, and 2 in a row at most'
  t.deepEqual([none.state, none.reason], [18, says])
  const one = await trained('one', csv(rows.slice(0, 12)), own, { holdout: { group: 'device' } })
  t.is(one.state, 17)
  const word = await trained('word', csv(rows).replace(/(d0),[^\n]*/, '$1,high'), own)
  t.deepEqual([word.state, word.reason?.includes("'high' is no number")], [12, true])
})

for (const [what, request, says] of [
  ['no lag', asked({ time: 'day' }), /algo_param: has no lag: PROJ_LIN predicts from the last 2 to 500 values/],
  ['a lag of 1', asked({ lag: 1, time: 'day' }), /'lag' is 1; it must be an integer from 2 to 500/],
  ['a lag of 501', asked({ lag: 501, time: 'day' }), /'lag' is 501; it must be an integer from 2 to 500/],
  ['a negative offset', asked({ ...own, offset: -1 }), /'offset' is -1; it must be an integer from 0 to 999/],
  ['no time', asked({ lag: 2 }), /has lag and no time/],
  ['another time', asked({ lag: 2, time: 'dya' }), /has time 'dya', which attr_list does not name; did you mean day\?/],
  ['another uid', asked({ ...own, uid: 'devise' }), /has uid 'devise', .*did you mean device\?/],
  ['one name twice', asked({ ...own, uid: 'day' }), /has 'day' twice among the quantity, time and uid/],
  ['an offset alone', asked({ offset: 1 }, {}, {}, 'LIN'), /has offset without lag/],
  ['KMEANS', asked(own, {}, {}, 'KMEANS'), /KMEANS predicts no numbers; lag goes with SVM, LIN, PROJ_LIN and TREE/],
  ['texts', asked(own, {}, {}, 'IE'), /IE predicts no numbers; lag goes with/],
  ['classes', asked({ ...own, svm_type: 0 }, {}, {}, 'SVM'), /its other members ask for classes/],
  ['classify', asked(own, { task: 'classify' }), /task: is classify, and algo_param has lag/],
  [
    'a text to predict',
    asked(
      own,
      { target_idx: 1 },
      { attr_list: attr_list.with(1, { name: 'device', position: 1, type: 'STRING' } as never) },
    ),
    /has no number 'device'/,
  ],
  [
    'a quantity named as an input',
    asked({ lag: 2, time: 'day' }, {}, { attr_list: attr_list.with(2, { name: 'lag2', position: 2, type: 'DOUBLE' }) }),
    /'lag2', which is the name of an input/,
  ],
  ['a holdout of another time', asked(own, { holdout: { time: 'device' } }), /rows of the series are ordered by 'day'/],
  [
    'a group of none',
    asked({ lag: 2, time: 'day' }, { holdout: { group: 'device' } }),
    /there is one series, as algo_param has no uid/,
  ],
] as const)
  test(`a request for a series is refused at once for ${what}`, async (t) => {
    const { 'schema-name': schema, ...rest } = { 'schema-name': 'shop', model_name: 'never', ...bodyOf(request) }
    const { status, body } = await client.post('/ml/train', { 'schema-name': schema, ...rest })
    t.is(status, 400)
    t.regex(body.error.join('\n'), says)
  })

function bodyOf({ algo_type, details, more }: ReturnType<typeof asked>) {
  const source = { training_source_type: 'FILE', training_source: 'data.csv', input_format: 'CSV' }
  return { algo_type, training_details: { ...source, ...details }, ...more }
}

test('a script gets lag as it is, and the answer says that no windows are cut', async (t) => {
  const request = asked({ script: 'none.py', lag: 3 }, {}, {}, 'PY')
  const { status, body } = await client.post('/ml/train', {
    'schema-name': 'shop',
    model_name: 'script',
    ...bodyOf(request),
  })
  if (status === 200) t.regex(body.error.join('\n'), /algo_param\.lag reaches the script as it is/)
  else t.is(status, 503)
})

test('a line of another count, or with a missing value, is a 400 that says how many values there are to be', async (t) => {
  const { state, log } = await trained('count', csv(rows), own)
  t.is(state, 25, log)
  for (const [data, format, says] of [
    ['1', 'CSV', /1 cells in place of 2; the attributes are lag2, lag1/],
    ['1,2,3', 'CSV', /3 cells in place of 2/],
    ['1,', 'CSV', /attribute 'lag1': the value is missing; a model with lag takes a window that is whole/],
    ['{"lag1": 1}', 'JSON', /the row lacks lag2/],
    ['{"lag1": 1, "lag2": null}', 'JSON', /attribute 'lag2': the value is missing/],
  ] as const) {
    const { status, body } = await line('count', data, format)
    t.is(status, 400)
    t.regex(body.error.join('\n'), says)
  }
})

test('a stream is trained on in the order of _pk, and an entity stream is refused', async (t) => {
  const events = shuffled.map(({ day, ...rest }) => ({ _pk: Date.parse(day) * 1000, ...rest }))
  await client.lines('shop.readings', events)
  const details = { training_source_type: 'STREAM', 'stream-name': 'readings', target_idx: 0 }
  const more = {
    attr_list: [
      { name: 'volt', position: 0 },
      { name: 'device', position: 1 },
    ],
  }
  const { state, log, metrics } = await trained('live', undefined, { lag: 2, uid: 'device', ...exact }, details, more)
  t.is(state, 25, log)
  t.deepEqual(metrics.holdout, { time: '_pk', share: 0.2 })
  const [older, latest] = [await predicted('live', '1,0'), await predicted('live', '0,1')]
  t.true(near(older, -0.2) && near(latest, 0.8), `${older}, ${latest}`)
  // One series, whose only attribute is the quantity.
  const alone = await trained('alone', undefined, { lag: 3 }, details, { attr_list: [{ name: 'volt', position: 0 }] })
  t.is(alone.state, 25, alone.log)
  t.regex(alone.log, /480 values of one series, ordered by '_pk', give 477 windows of 4 values/)
  const named = { ...details, target_idx: undefined, target: 'volt' }
  const unlisted = await trained('unlisted', undefined, { lag: 2, uid: 'device' }, named, { attr_list: undefined })
  t.is(unlisted.state, 25, unlisted.log)
  t.regex(unlisted.log, /480 values of 40 series by 'device', ordered by '_pk'/)
  const entities = {
    'schema-name': 'shop',
    model_name: 'never',
    ...bodyOf(asked({ lag: 2 }, { ...details, 'stream-name': 'devices' }, more)),
  }
  const { status, body } = await client.post('/ml/train', entities)
  t.is(status, 400)
  t.regex(body.error.join('\n'), /devices is an entity stream, whose rows have no order in time/)
})

const ask = (body: Members) => client.post('/ml/forecast', { 'schema-name': 'shop', ...body })

test('a forecast begins with the last stored values of its series, and each step is fed by the one before', async (t) => {
  const events = rows.map(({ day, device, volt }) => ({
    _pk: Date.parse(day) * 1000,
    device,
    number: Number(device.slice(1)),
    volt,
  }))
  await client.lines('shop.meters', events)
  const details = { training_source_type: 'STREAM', 'stream-name': 'meters', target_idx: 0 }
  const attr_list = ['volt', 'device', 'number'].map((name, position) => ({
    name,
    position,
    ...(name === 'volt' ? {} : { learn: 0 }),
  }))
  for (const [model, members] of [
    ['coming', { lag: 2, uid: 'device', ...exact }],
    ['by_number', { lag: 2, uid: 'number', ...exact }],
    ['ahead', { lag: 2, offset: 1, uid: 'device', ...exact }],
    ['lone', { lag: 2, ...exact }],
  ] as const) {
    const { state, log } = await trained(model, undefined, members, details, { attr_list })
    t.is(state, 25, log)
  }
  // Acknowledged just now, out of order, and one without a value: the window is 3, 5.
  const late = Date.parse('2024-06-01') * 1000
  await client.lines('shop.meters', [
    { _pk: late + 2, device: 'd7', number: 7, volt: 5 },
    { _pk: late + 1, device: 'd7', number: 7, volt: 3 },
    { _pk: late + 3, device: 'd7', number: 7 },
  ])
  const next = (older: number, latest: number) => 0.8 * latest - 0.2 * older
  const byHand = [3, 5]
  while (byHand.length < 102) byHand.push(next(byHand.at(-2) ?? 0, byHand.at(-1) ?? 0))
  for (const asked of [
    { model_name: 'coming', uid: 'd7' },
    { model_name: 'by_number', uid: 7 },
    { model_name: 'lone' },
  ]) {
    const { forecast, errorcode } = await client.ok(ask({ ...asked, steps: 100 }))
    t.is(errorcode, 0)
    const steps: { step: number; value: number }[] = forecast
    t.deepEqual(
      steps.map(({ step }) => step),
      Array.from({ length: 100 }, (_, i) => i + 1),
    )
    if (asked.model_name !== 'lone')
      t.true(
        steps.every(({ value }, i) => near(value, byHand[i + 2] ?? 0)),
        JSON.stringify(steps.slice(0, 5)),
      )
  }
  // With an offset each prediction is the latest value of the next window.
  const [first, second] = (await client.ok(ask({ model_name: 'ahead', uid: 'd7', steps: 4 }))).forecast
  const ahead = (older: number, latest: number) => 0.44 * latest - 0.16 * older
  t.deepEqual([first.step, second.step], [2, 4])
  t.true(near(first.value, ahead(3, 5)) && near(second.value, ahead(5, ahead(3, 5))), JSON.stringify([first, second]))

  await client.event('shop.meters', { device: 'new', volt: 1 })
  for (const [body, status, says] of [
    [{ model_name: 'coming', uid: 'd7', steps: 0 }, 400, /steps/],
    [{ model_name: 'coming', uid: 'd7', steps: 1001 }, 400, /steps: must be .*1000/],
    [{ model_name: 'coming', uid: 'd7' }, 400, /steps/],
    [
      { model_name: 'ahead', uid: 'd7', steps: 3 },
      400,
      /steps is 3; model ahead has offset 1, so that steps is a multiple of 2/,
    ],
    [{ model_name: 'coming', steps: 1 }, 400, /uid is missing: model coming tells series apart by device/],
    [{ model_name: 'lone', uid: 'd7', steps: 1 }, 400, /model lone was trained on one series, without uid/],
    [{ model_name: 'coming', uid: 'nobody', steps: 1 }, 404, /no value of volt in an event whose device is 'nobody'/],
    [{ model_name: 'by_number', uid: 'x', steps: 1 }, 404, /no value of volt in an event whose number is 'x'/],
    [
      { model_name: 'coming', uid: 'new', steps: 1 },
      400,
      /predicts from the last 2 values, and stream shop.meters has 1 of device 'new' yet/,
    ],
    [{ model_name: 'nothing', uid: 'd7', steps: 1 }, 404, /no model nothing/],
    [{ model_name: 'coming', uid: 'd7', steps: 1, version: 9 }, 404, /no version 9/],
    [{ model_name: 'coming', uid: 'd7', steps: 1, 'stream-name': 'metres' }, 404, /no stream "metres"/],
  ] as const) {
    const answer = await ask(body)
    t.is(answer.status, status, answer.text)
    t.regex(answer.body.error.join('\n'), says)
    t.not(answer.body.errorcode ?? answer.body.errcode, 0)
  }
  const { error } = await client.ok(ask({ model_name: 'coming', uid: 'd7', steps: 1, stream_name: 'other' }))
  t.regex(error.join('\n'), /stream_name is unknown and does nothing; did you mean stream-name\?/)
})

test('a model of a file has a forecast where a stream is named that has its quantity and its uid; one of lines has none', async (t) => {
  await client.lines(
    'shop.cells',
    [3, 5].map((volt) => ({ device: 'd7', volt })),
  )
  const { state, log } = await trained('of_file', csv(rows), { ...own, ...exact })
  t.is(state, 25, log)
  const { forecast } = await client.ok(ask({ model_name: 'of_file', 'stream-name': 'cells', uid: 'd7', steps: 1 }))
  t.true(near(forecast[0].value, 3.4), JSON.stringify(forecast))
  for (const [stream, says] of [
    [undefined, /stream-name is missing: model of_file was trained on files/],
    ['others', /no attribute volt of type DOUBLE or LONG; known are device, voltage/],
    ['texts', /no attribute volt of type DOUBLE or LONG, but one of type STRING/],
    ['apart', /no attribute device, which tells series apart/],
  ] as const) {
    const answer = await ask({ model_name: 'of_file', ...(stream && { 'stream-name': stream }), uid: 'd7', steps: 1 })
    t.is(answer.status, 400, answer.text)
    t.regex(answer.body.error.join('\n'), says)
  }
  await trainer.upload('plain', csv(rows))
  t.is(await trainer.train('plain', { algo_type: 'LIN', details: { target_idx: 2 }, more: { attr_list } }), 25)
  const plain = await ask({ model_name: 'plain', 'stream-name': 'cells', steps: 1 })
  t.is(plain.status, 400)
  t.regex(plain.body.error.join('\n'), /model plain was trained without lag/)
})

test('a forecast that grows beyond all numbers is refused, and says how far it came', async (t) => {
  const day = (i: number) => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10)
  const doubling = Array.from({ length: 30 }, (_, i) => ({ day: day(i), device: 'x', volt: 2 ** i }))
  const { state, log } = await trained('grows', csv(doubling), { lag: 2, time: 'day', ...exact })
  t.is(state, 25, log)
  await client.lines(
    'shop.growing',
    [1e300, 2e300].map((volt) => ({ volt })),
  )
  const { status, body } = await ask({ model_name: 'grows', 'stream-name': 'growing', steps: 1000 })
  t.is(status, 400)
  t.regex(body.error.join('\n'), /the forecast goes beyond all numbers after \d+ of 1000 predictions/)
})

test('a PRED attribute with lag predicts from the values before its event, of the same uid and body too', async (t) => {
  const { state, log } = await trained('ahead', csv(shuffled), { ...own, ...exact })
  t.is(state, 25, log)
  const expected = { name: 'expected', type: 'DOUBLE', opnm: 'PRED', algo: 'PROJ_LIN', model: 'ahead' }
  const watched = {
    ...stream('watched', device, volt),
    catr: [{ ...expected, lag: 2, uid: 'device', iatr: ['volt'] }],
  }
  const streamed = await client.send('PUT', '/stream/shop', { schema: 'shop', streams: [watched] })
  t.is(streamed.status, 200, streamed.text)
  await client.event('shop.watched', { device: 'a', volt: 10 })
  await client.lines('shop.watched', [
    { device: 'a', volt: 20 },
    { device: 'b', volt: 7 },
    { device: 'a', volt: 30 },
    { device: 'a', volt: 1 },
  ])
  const found = (await client.documents('select * from shop.watched')).reverse()
  const shown = found.map((each) => [each.device, each.volt, each.expected === undefined ? null : each.expected])
  t.deepEqual(
    shown.map(([of, value]) => [of, value]),
    [
      ['a', 10],
      ['a', 20],
      ['b', 7],
      ['a', 30],
      ['a', 1],
    ],
  )
  t.deepEqual(
    shown.slice(0, 3).map(([, , prediction]) => prediction),
    [null, null, null],
  )
  // 0.8 * 20 - 0.2 * 10, then 0.8 * 30 - 0.2 * 20
  t.true(near(shown[3]?.[2], 14, 1e-4) && near(shown[4]?.[2], 20, 1e-4), JSON.stringify(shown))
})

test('notes say how a series was read where it may have been meant otherwise', async (t) => {
  const lines = Array.from({ length: 40 }, (_, i) => {
    const day = i === 39 ? String(Date.UTC(2024, 1, 9) * 1000) : `2024-01-${String(1 + (i % 30)).padStart(2, '0')}`
    return `${day},${i < 20 ? 'd1' : 'D1'},${i === 3 ? 'true' : i === 4 ? '007' : (i % 7) + 0.5}`
  })
  const text = ['day,device,volt', ...lines, '2024-03-01,d1,much', ''].join('\n')
  const details = { bad_rows: 'skip', max_bad_share: 0.5 }
  const { state, log } = await trained('noted', text, { ...own, lag: 2 }, details)
  t.is(state, 25, log)
  const { notes } = await trainer.statusOf('noted')
  for (const note of [
    /^1 of 40 rows|1 .*row/,
    /^attribute 'day': 1 of 4\d times are numbers and (39|40) are dates, taken as microseconds since 1970$/,
    /^attribute 'device': 'd1' and 'D1' are two words, though they differ in case alone$/,
    /^attribute 'volt': 1 of 4\d cells are true or false, taken as 1 and 0 among numbers$/,
    /^attribute 'volt': 1 of 4\d cells have zeros in front, such as '007'/,
  ])
    t.true(
      notes.some((each: string) => note.test(each)),
      `${note}: ${notes.join('\n')}`,
    )
  t.true(notes.every((each: string) => log.includes(each)))
})
