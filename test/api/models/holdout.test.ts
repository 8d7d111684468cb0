import test from 'ava'
import { createRandom } from '../../../learn/random.ts'
import { isTaken } from '../../support/random/seed.ts'
import { startService } from '../../support/service.ts'
import { createTrainer } from './trainer.ts'

const service = await startService()
const { client } = service
test.after.always(() => service.close())
const trainer = createTrainer(client)

/** Rows in any order whose label turns round in the last days, and is each site's own. */
const random = createRandom(8)
const rows = Array.from({ length: 400 }, (_, i) => {
  const day = (i * 149) % 400
  const x = random.uniform()
  const isHigh = x > 0.5
  const site = `s${(i * 31) % 20}`
  return {
    day,
    x,
    site,
    turned: isHigh === day < 320 ? 'high' : 'low',
    own: Number(site.slice(1)) % 2 === 0 ? 'e' : 'o',
  }
})
const dayOf = (day: number): string => new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10)
const linesOf = (label: 'turned' | 'own', some = rows): string =>
  [
    'day,x,site,label',
    ...some.map((row) => [dayOf(row.day), row.x.toFixed(4), row.site, row[label]].join(',')),
    '',
  ].join('\n')

type Details = Readonly<Record<string, unknown>>

async function trained(model: string, text: string, details: Details, more: Details = {}, algo_type = 'TREE') {
  await trainer.upload(model, text)
  const asked = {
    algo_type,
    details: { target_idx: undefined, target: 'label', ...details },
    more: { attr_list: undefined, ...more },
  }
  const state = await trainer.train(model, asked)
  const { train_log } = await trainer.recordOf(model)
  const { body: metrics } = await client.get(`/ml/shop/${model}/metrics`)
  return { state, log: train_log.log.join('\n') as string, metrics }
}

test('without holdout a fifth is held out by chance, which the log and the metrics say', async (t) => {
  const { state, log, metrics } = await trained('usual', linesOf('turned'), {})
  t.is(state, 25, log)
  t.deepEqual([metrics.holdout, metrics.rows, metrics.rows_learnt], [{ share: 0.2 }, 80, 320])
  t.regex(log, /80 of 400 rows, by chance, are held out to measure the model/)
  const other = await trained('usual', linesOf('turned'), { holdout: { share: 0.1 } })
  t.deepEqual([other.metrics.holdout, other.metrics.rows, other.metrics.rows_learnt], [{ share: 0.1 }, 40, 360])
})

test('by time the latest rows are held out: a label that turned round is seen to be mistaken', async (t) => {
  const chance = await trained('time', linesOf('turned'), {})
  const { state, log, metrics } = await trained('time', linesOf('turned'), { holdout: { time: 'Day' } })
  t.is(state, 25, log)
  t.deepEqual([metrics.holdout, metrics.rows], [{ time: 'Day', share: 0.2 }, 80])
  t.true(metrics.accuracy < 0.2 && chance.metrics.accuracy > 0.8, `${metrics.accuracy}, ${chance.metrics.accuracy}`)
  t.regex(log, /80 of 400 rows, the latest by 'day', are held out to measure the model/)
  t.regex(
    log,
    /the model learns from 'day' as well, and the times held out are later than all .*; "learn": 0 in attr_list/,
  )
})

test('by group no group is in both parts: a model that knows its groups by name is seen to know no others', async (t) => {
  const chance = await trained('group', linesOf('own'), {})
  const { state, log, metrics } = await trained('group', linesOf('own'), { holdout: { group: 'site', share: 0.3 } })
  t.is(state, 25, log)
  t.regex(log, /the model learns from 'site' as well, whose values held out it has never seen; "learn": 0 in attr_list/)
  t.deepEqual([metrics.holdout, metrics.rows], [{ group: 'site', share: 0.3 }, 120])
  t.true(chance.metrics.accuracy > 0.85 && metrics.accuracy < 0.8, `${metrics.accuracy}, ${chance.metrics.accuracy}`)
  t.regex(log, /120 of 400 rows, the ones of 6 of 20 values of 'site'/)
  // Whole groups are held out for early stopping, too.
  t.regex(log, /kept \d+ rounds, the middle of 5 draws of \d+ held-out rows of whole groups/)
  t.false(chance.log.includes('whole groups'))
})

const attr_list = [
  { name: 'day', position: 0, learn: 0 },
  { name: 'x', position: 1 },
  { name: 'site', position: 2, learn: 0 },
  { name: 'label', position: 3 },
]

for (const format of ['CSV', 'JSON'].filter((_, i) => isTaken(i, 2))) {
  test(`an attribute with learn 0 decides about rows of ${format}, and the model neither learns from it nor asks for it`, async (t) => {
    const text =
      format === 'CSV'
        ? linesOf('turned')
        : rows
            .map(({ day, x, site, turned }) => `${JSON.stringify({ day: dayOf(day), x, site, label: turned })}\n`)
            .join('')
    const details = { input_format: format, expected_format: format, holdout: { time: 'day', share: 0.2 } }
    const { state, log, metrics } = await trained(`aside_${format}`, text, details, { attr_list })
    t.is(state, 25, log)
    t.is(metrics.rows, 80)
    t.true(metrics.accuracy < 0.2, `${metrics.accuracy}`)
    const card = await client.ok(client.get(`/ml/shop/aside_${format}`))
    t.deepEqual(
      card.attributes.map(({ name }: { name: string }) => name),
      ['x'],
    )
    const line = { 'schema-name': 'shop', model_name: `aside_${format}`, input_format: 'CSV', data: '0.9' }
    t.is((await client.ok(client.post('/ml/pred/2', line))).errorcode, 0)
  })
}

test('the rows of a file are held out whole: the model never learns from them, and predicts them as measured', async (t) => {
  const own = rows.slice(0, 300).map((row) => ({ ...row, turned: row.x > 0.5 ? 'high' : 'low' }))
  const test = rows.slice(300).map((row, i) => ({ ...row, turned: i % 10 === 0 ? 'new' : row.turned }))
  await trainer.upload('file', linesOf('turned', test), 'test.csv')
  for (const algorithm of ['TREE', 'LIN', 'SVM'].filter((_, i) => isTaken(i, 3))) {
    const { state, log, metrics } = await trained(
      'file',
      linesOf('turned', own),
      { holdout: { file: 'test.csv' } },
      {},
      algorithm,
    )
    t.is(state, 25, log)
    t.deepEqual([metrics.holdout, metrics.rows, metrics.rows_learnt], [{ file: 'test.csv' }, 100, 300])
    t.regex(log, /retrieved the file held out \[ file__shop__test.csv \]/)
    t.regex(log, /100 rows of the file held out are measured, and never learnt from/)
    const { labels } = await client.ok(client.get('/ml/shop/file'))
    t.deepEqual([...labels].sort(), ['high', 'low'])
    let right = 0
    for (const row of test) {
      const data = [dayOf(row.day), row.x.toFixed(4), row.site].join(',')
      const line = { 'schema-name': 'shop', model_name: 'file', input_format: 'CSV', data }
      right += (await client.ok(client.post('/ml/pred/2', line))).predict_labels === row.turned ? 1 : 0
    }
    t.is(metrics.accuracy, right / 100)
    const { versions } = await client.ok(client.get('/ml/shop/file/versions'))
    t.is(versions[0].rows ?? 300, 300)
  }
})

test('LIBSVM data hold out a share or a file, whose features beyond those of the training are passed over', async (t) => {
  const line = (x: number, wider: string) => `${x > 0.5 ? 1 : -1} 1:${x.toFixed(4)} 2:1${wider}\n`
  const text = rows
    .slice(0, 200)
    .map(({ x }) => line(x, ''))
    .join('')
  await trainer.upload(
    'sparse',
    rows
      .slice(200, 250)
      .map(({ x }) => line(1 - x, ' 9:4'))
      .join(''),
    'test.svm',
  )
  const form = { input_format: 'SVM', expected_format: 'SVM', target: undefined, target_idx: 0 }
  const file = await trained('sparse', text, { ...form, holdout: { file: 'test.svm' } }, { attr_list: [] }, 'LIN')
  t.is(file.state, 25, file.log)
  t.deepEqual([file.metrics.rows, file.metrics.rows_learnt], [50, 200])
  t.true(file.metrics.accuracy > 0.9)
  t.is((await client.ok(client.get('/ml/shop/sparse'))).num_attributes ?? 2, 2)
  const share = await trained('sparse', text, { ...form, holdout: { share: 0.5 } }, { attr_list: [] }, 'LIN')
  t.deepEqual([share.state, share.metrics.rows], [25, 100])
})

test('texts and entities are held out by time, by group and by file', async (t) => {
  const texts = rows.map(({ day, site, x }) => ({
    text: x > 0.5 ? `a fine thing ${site}` : `a bad thing ${site}`,
    label: x > 0.5 === day < 320 ? 'good' : 'poor',
    day: dayOf(day),
    site,
  }))
  const lines = (some: readonly object[]) => some.map((each) => `${JSON.stringify(each)}\n`).join('')
  const form = { input_format: 'JSON', expected_format: 'JSON', target: undefined, target_idx: 0 }
  const time = await trained('texts', lines(texts), { ...form, holdout: { time: 'day' } }, {}, 'IE_SENT')
  t.is(time.state, 25, time.log)
  t.deepEqual([time.metrics.rows, time.metrics.rows_learnt], [80, 320])
  t.true(time.metrics.accuracy < 0.2, `${time.metrics.accuracy}`)
  await trainer.upload('texts', lines(texts.slice(0, 40)), 'test.json')
  const file = await trained('texts', lines(texts.slice(40)), { ...form, holdout: { file: 'test.json' } }, {}, 'IE')
  t.deepEqual([file.state, file.metrics.rows, file.metrics.rows_learnt], [25, 40, 360], file.log)
  const tagged = rows.slice(0, 120).map(({ site, day }) => ({
    text: `we met in Paris at ${site}`,
    entities: [{ start: 10, end: 15, label: 'CITY' }],
    site,
    day: dayOf(day),
  }))
  const group = await trained(
    'tagged',
    lines(tagged),
    { ...form, target_idx: undefined, holdout: { group: 'site' } },
    {},
    'IE_NER',
  )
  t.deepEqual([group.state, group.metrics.rows, group.metrics.rows_learnt], [25, 24, 96], group.log)
})

/** Holdouts that only the data show to be wrong: the state that the training ends in, and what its log says. */
const failing: Readonly<Record<string, readonly [Details, number, RegExp]>> = {
  'a file that is not there': [{ file: 'none.csv' }, 11, /there is no file held out failing__shop__none.csv in bucket/],
  'a file of other columns': [
    { file: 'other.csv' },
    12,
    /failing__shop__other.csv: the first row is a header that names other/,
  ],
  'an empty file': [{ file: 'empty.csv' }, 17, /the file held out holds no row that can be taken/],
  'an attribute that the data do not have': [
    { time: 'dya' },
    17,
    /holdout.time is 'dya', which the data do not have; did you mean day\?/,
  ],
  'a time that is none': [{ time: 'site' }, 12, /'s0' is no number and no time of ISO 8601/],
  'one group alone': [{ group: 'one' }, 17, /all rows have the same 'one', '1', so that no group can be held out/],
}

for (const [what, [holdout, state, reason]] of Object.entries(failing).filter((_, i) => isTaken(i, 3))) {
  test.serial(`${what} ends the training in state ${state}, with the reason`, async (t) => {
    await trainer.upload('failing', 'a,b\n1,2\n', 'other.csv')
    await trainer.upload('failing', 'day,x,site,one,label\n', 'empty.csv')
    const text = linesOf('turned')
      .replaceAll(/,(high|low)$/gm, ',1,$1')
      .replace('site,label', 'site,one,label')
    const found = await trained('failing', text, { holdout })
    t.is(found.state, state, found.log)
    t.regex(found.log, reason)
  })
}

test('of a stream the latest events are held out, by an attribute of theirs', async (t) => {
  const attr = [
    { name: 'day', type: 9 },
    { name: 'x', type: 11 },
    { name: 'label', type: 5 },
  ]
  await client.register({ schema: 'shop', streams: [{ name: 'days', type: 1, swsz: 0, inpt: [], attr }] })
  const events = rows.map(({ day, x, turned }) => ({ day, x, label: turned }))
  await client.lines('shop.days', events)
  const details = { training_source_type: 'STREAM', 'stream-name': 'days', holdout: { time: 'day' } }
  const { state, log, metrics } = await trained('days', '', details)
  t.is(state, 25, log)
  t.true(metrics.accuracy < 0.3 && metrics.rows === 80, JSON.stringify(metrics))
})

test('metrics of few rows say that they show little', async (t) => {
  const { metrics } = await trained('few', linesOf('turned', rows.slice(0, 30)), {})
  t.deepEqual([metrics.rows, metrics.note], [6, '6 rows are held out: so few show little'])
  const none = await trained('few', linesOf('turned', rows.slice(0, 8)), { holdout: { share: 0.5 } })
  t.like(none.metrics, { rows: 0, reason: '8 rows are too few to hold a part of them out' })
})
