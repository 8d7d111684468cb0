/** The forms of saved questions: what they send is what their fields say, and what is there already stays. */
import test from 'ava'
import fc from 'fast-check'
import { answerRows } from '../../../../console/pages/saved/answer-rows.ts'
import { callSamples, tokenSample } from '../../../../console/pages/saved/call-samples.ts'
import {
  cronOf,
  oftenChoices,
  type Times,
  timeInZone,
  timesOf,
  timesText,
} from '../../../../console/pages/saved/cron-words.ts'
import {
  type Definition,
  inAddress,
  paramsOf,
  placeholdersIn,
  typedOf,
  valueOf,
} from '../../../../console/pages/saved/definition.ts'
import { draftOfWatch, limitIn, watchOf, watchText } from '../../../../console/pages/saved/watch-words.ts'
import { decodeQuestion } from '../../../../sql/saved/definition.ts'

test('the parameters that stand in a text are those that the service finds, with their types', (t) => {
  for (const sql of [
    'SELECT 1',
    "SELECT {a:String}, '{b:String}', `{c:Int8}` -- {d:Int8}\n, {e:UInt64} /* {f:Int8} */",
    'SELECT { a : Array(String) }, {a:Array(String)}, {b:DateTime64(6)}',
    "SELECT 'it\\'s {no:Int8}', 'two '' {no:Int8}', {yes:Nullable(Float64)}",
  ]) {
    const { params } = decodeQuestion({ sql })
    const wanted = Object.entries(params).map(([name, { type }]) => ({ name, type: type.name }))
    t.deepEqual(
      placeholdersIn(sql).map(({ name, type }) => ({ name, type: type.replaceAll(' ', '') })),
      wanted,
      sql,
    )
  }
})

const sql = 'SELECT {c:String}, {n:Float64}, {i:Int64}, {b:Bool}, {l:Array(String)}, {d:Date}'
const params: Definition['params'] = {
  c: { type: 'text', values: ['DE', 'FR'], description: 'of the visitor' },
  n: { type: 'number', default: 0, min: -1, max: 2.5 },
  i: { type: 'Int64', default: 5 },
  b: { default: false },
  l: { default: ['a', 'b'] },
  d: { type: 'date', default: '2026-11-29' },
}

test('parameters that nobody touched are sent as they were; a touched one has what its fields say', (t) => {
  const typed = typedOf(sql, params, {})
  t.deepEqual(paramsOf(typed), params)
  const [first, ...rest] = typed
  const changed = paramsOf([
    {
      ...first,
      name: 'c',
      type: 'String',
      hasDefault: true,
      default: 'DE',
      values: '',
      min: '',
      max: '',
      description: ' ',
    },
    ...rest,
  ])
  t.deepEqual(changed.c, { ...(first?.declared !== undefined && { type: 'text' }), default: 'DE' })
  t.notThrows(() => decodeQuestion({ sql, params: JSON.parse(JSON.stringify(changed)) }))
  // Another type in the text leaves the one that was declared.
  t.deepEqual(paramsOf(typedOf('SELECT {n:String}', params, {})).n?.type, undefined)
})

test('a field is a value of its kind; a text that is none is left to the service to refuse', (t) => {
  for (const [text, type, value] of [
    ['5', 'Int32', 5],
    ['9223372036854775807', 'Int64', 9223372036854775807n],
    ['1e3', 'Float64', 1000],
    ['five', 'Int32', 'five'],
    ['', 'Float64', ''],
    ['true', 'Bool', true],
    ['yes', 'Bool', 'yes'],
    [' a ', 'String', ' a '],
    ['1, 2', 'Array(UInt8)', [1, 2]],
    ['a, b', 'Array(Nullable(String))', ['a', 'b']],
  ] as const)
    t.deepEqual(valueOf(text, type), value as unknown, `${text} ${type}`)
  const types = { n: 'Array(Int64)', l: 'Array(String)', c: 'String' }
  t.deepEqual(inAddress({ n: {}, l: {}, c: {}, d: {} }, types, { n: '1, 2', l: 'a "x", b', c: 'it, too', d: '' }), {
    ...{ n: '[1,2]', l: '["a \\"x\\"","b"]', c: 'it, too' },
  })
})

test('an alert is sent as its form shows it, and in words says all that differs from the usual', (t) => {
  const watch = {
    ...{ every: 60, when: 'dearest > 60', key: ['page'], for: 180, keep: 300, again: 3600, no_rows: 'alert' as const },
    ...{ error: 'keep' as const, notf: 7, format: 'alertmanager' as const, labels: { team: 'shop', a: 'b=c' } },
  }
  t.deepEqual(watchOf(draftOfWatch(watch)), watch)
  t.deepEqual(watchOf(draftOfWatch({ when: 'n > 1' })), {
    ...{ every: 60, when: 'n > 1', for: 0, keep: 0, no_rows: 'resolved', error: 'alert', format: 'weir' },
  })
  t.is(
    watchText(watch),
    'The question is asked every 1 min, for each page by itself: where dearest > 60 an alert fires once that has held for 3 min, and resolves 5 min after it holds no more. No rows are an alert of their own. Where it cannot be asked nothing is sent. Notification 7 is sent when it fires, again every 1 h and when it resolves.',
  )
  t.is(
    watchText({ when: 'n > 1' }),
    'The question is asked every 1 min, for the answer as a whole: where n > 1 an alert fires at once, and resolves as soon as it holds no more. Nothing is sent: this page alone shows it.',
  )
  t.deepEqual(['p95 > 800', ' a.b <= -1.5 ', 'a > b', 'a > 1 and b > 2', 'a = 1'].map(limitIn), [
    ...[800, -1.5, undefined, undefined, undefined],
  ])
})

test('the words of a schedule and its line of crontab say the same', (t) => {
  const two = (value: number) => String(value).padStart(2, '0')
  const anyTimes = fc.record({
    often: fc.constantFrom(...oftenChoices.map(([each]) => each).filter((each) => each !== 'own')),
    minute: fc.integer({ min: 0, max: 59 }),
    hour: fc.integer({ min: 0, max: 23 }),
    weekday: fc.integer({ min: 0, max: 6 }).map(String),
    day: fc.integer({ min: 1, max: 31 }).map(String),
  })
  fc.assert(
    fc.property(anyTimes, ({ often, minute, hour, weekday, day }) => {
      const times: Times = { often, time: `${two(hour)}:${two(minute)}`, weekday, day, line: '' }
      const line = cronOf(times)
      const again = timesOf(line)
      t.is(cronOf(again), line)
      t.is(again.often, often)
    }),
    { seed: Number(process.env.WEIR_SEED) || 46 },
  )
  for (const [line, text] of [
    ['0 6 * * MON', 'each Monday at 06:00'],
    ['0 6 * * 0', 'each Sunday at 06:00'],
    ['15 * * * *', 'each hour at minute 15'],
    ['30 23 1 * *', 'on day 1 of each month at 23:30'],
    ['* * * * *', 'each minute'],
    ['0 6 1 * MON', '0 6 1 * MON'],
    ['0 6 * 1 *', '0 6 * 1 *'],
    ['*/5 * * * *', '*/5 * * * *'],
    ['0 0 6 * * MON', '0 0 6 * * MON'],
  ] as const) {
    t.is(timesText(line), text)
    if (text === line) t.is(cronOf(timesOf(line)), line)
  }
  t.is(timeInZone(Date.parse('2026-11-30T05:00:00Z') * 1000, 'Europe/Berlin'), 'Mon, 30 Nov 2026, 06:00')
})

test('columns of times and days are drawn as such, all others as what they are', (t) => {
  const { columns, rows } = answerRows([
    {
      at: '2026-11-26 11:04:09.5',
      iso: '2026-11-26T11:04:09Z',
      day: '2026-11-26',
      page: 'home',
      n: 1,
      mixed: '2026-11-26',
      none: null,
    },
    { at: null, iso: '2026-11-26T11:05:09Z', day: '2026-11-27', page: '2026', n: 2.5, mixed: 'later' },
  ])
  t.deepEqual(
    columns.map(({ name, kind, zone }) => `${name} ${kind}${zone === '' ? ' of a day' : ''}`),
    ['at time', 'iso time', 'day time of a day', 'page text', 'n number', 'mixed text', 'none text'],
  )
  t.is(rows.length, 2)
})

test('samples ask the question for values that it takes, whatever stands in them', (t) => {
  const question = {
    ...{ name: 'visits_of', origin: 'http://localhost:1', needsKey: true },
    sql: 'SELECT {country:String}, {least:Float64}, {all:Bool}, {pages:Array(String)}',
    params: { country: { values: ["it's $HOME", 'FR'] }, least: { default: 0, min: -1 }, all: {}, pages: {} },
  }
  const { curl, line, js, python } = callSamples(question)
  t.is(
    curl,
    `curl -s 'http://localhost:1/saved/visits_of/rows?country=it%27s+%24HOME&least=0&all=true&pages=%5B%22text%22%5D' -H "x-api-key: $WEIR_KEY"`,
  )
  t.is(line, `weir saved visits_of 'country=it'\\''s $HOME' least=0 all=true 'pages=["text"]'`)
  t.true(js.includes(`weir.saved("visits_of").rows({"country":"it's $HOME","least":0,"all":true,"pages":["text"]})`))
  t.true(
    python.includes(
      `weir.saved("visits_of").rows({"country": "it's $HOME", "least": 0, "all": True, "pages": ["text"]})`,
    ),
  )
  t.true(tokenSample(question).includes(`"saved":"visits_of","fixed":{"country":"it'\\''s $HOME"`))
  const plain = callSamples({ ...question, sql: 'SELECT 1', params: {}, needsKey: false })
  t.is(plain.curl, 'curl -s http://localhost:1/saved/visits_of/rows')
  t.true(plain.python.endsWith('weir.saved("visits_of").rows():\n    print(row)\n'))
})
