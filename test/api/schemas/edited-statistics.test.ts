/** Edits of lists of statistics: what is added is filled from the events that are there, what stays keeps all that it has seen. */
import test from 'ava'
import { startService } from '../../support/service.ts'

const { client, close } = await startService()
test.after.always(close)

const key = { name: 'who', type: 5, iatr: ['who'] }

/** All three kinds of statistics have the same list. */
const schemaOf = (schema: string, stat: unknown, more: object = {}) => ({
  schema,
  streams: [
    {
      ...{ name: 's', type: 1, swsz: 600, inpt: [] },
      attr: [
        { name: 'who', type: 5 },
        { name: 'n', type: 9, stat, gran: 60, ...more },
      ],
      gpby: [{ gpat: ['who'], iatr: 'n', stat, ...more }],
      enty: [{ name: 'e', opid: stat, ratr: ['n'], iatr: ['n'], pkatr: [key], rstm: 'people', ...more }],
    },
    { name: 'people', type: 4, inpt: ['s'], attr: [] },
  ],
})
const now_us = Date.now() * 1000
/** The first one is older than events stay. */
const events = [
  { _pk: now_us - 3600_000_000, who: 'a', n: 1000 },
  { _pk: now_us - 2_000_000, who: 'a', n: 1 },
  { _pk: now_us - 1_000_000, who: 'a', n: 2 },
  { _pk: now_us - 1_000_000, who: 'a', n: 3 },
]

async function prepared(schema: string, stat: unknown): Promise<void> {
  await client.register(schemaOf(schema, stat))
  await client.lines(`${schema}.s`, events)
}
const edit = (
  schema: string,
  stat: unknown,
  { query = '', ...more }: { query?: string; q?: number[]; k?: number } = {},
) => client.send('PUT', `/stream${query}`, schemaOf(schema, stat, more))

/** Of the attribute, the group, the entity. */
async function valuesOf(schema: string): Promise<Record<string, unknown>[]> {
  const [whole, group, person] = await Promise.all(
    [`aggr(n) from ${schema}.s rollup 1`, `aggr(n) from ${schema}.s groupby who`, `* from ${schema}.people`].map(
      async (what) => JSON.parse(String((await client.rows(`select ${what}`))[0]?.v)),
    ),
  )
  return [whole.aggr_val, group, person.n]
}

test('statistics that are added to a list are filled from the events that are there, and the others keep theirs', async (t) => {
  await prepared('adding', ['RSTAT', 'FIRST'])
  const dry = await client.ok(edit('adding', ['RSTAT', 'FIRST', 'QUANTILES', 'LAST'], { query: '?dry=1', q: [0.5] }))
  t.deepEqual(
    dry.would_change.map(({ what, from, to }: Record<string, string>) => [what, from, to]),
    [
      ['statistic', 'RSTAT, FIRST every 60 s', 'RSTAT, QUANTILES of 0.5, LAST, FIRST every 60 s'],
      ['group-by', 'RSTAT, FIRST every 60 s', 'RSTAT, QUANTILES of 0.5, LAST, FIRST every 60 s'],
      ['entity', 'RSTAT, FIRST of s.n by who', 'RSTAT, QUANTILES of 0.5, LAST, FIRST of s.n by who'],
    ],
  )
  t.is(dry.would_fill.length, 3)
  await client.ok(edit('adding', ['RSTAT', 'FIRST', 'QUANTILES', 'LAST'], { q: [0.5] }))
  for (const value of await valuesOf('adding')) {
    const { cnt, sum, max, p50, last, first } = value
    t.deepEqual(
      { cnt, sum, max, p50, last, first },
      { cnt: 4, sum: 1006, max: 1000, p50: 2.015625, last: 3, first: 1000 },
    )
  }
  await client.event('adding.s', { _pk: now_us, who: 'a', n: 5 })
  for (const { cnt, p50, last } of await valuesOf('adding'))
    t.deepEqual({ cnt, p50, last }, { cnt: 5, p50: 2.015625, last: 5 })
})

test('another level of quantiles is shown of what was kept, also of events that have expired', async (t) => {
  await prepared('levels', 'QUANTILES')
  t.deepEqual(
    (await valuesOf('levels')).map(({ p99 }) => p99),
    [1000, 1000, 1000],
  )
  await client.ok(edit('levels', 'QUANTILES', { q: [0.75, 0.999999] }))
  for (const value of await valuesOf('levels')) t.deepEqual(value, { cnt: 4, p75: 3.015625, p99_9999: 1000 })
})

test('a statistic that is dropped from a list is gone, and begins with the stored events when it comes again', async (t) => {
  await prepared('dropping', ['UCOUNT', 'LAST', 'FIRST'])
  t.deepEqual((await valuesOf('dropping'))[0], { cnt: 4, unique: 4, last: 3, first: 1000 })
  await client.ok(edit('dropping', ['UCOUNT', 'LAST']))
  t.deepEqual((await valuesOf('dropping'))[2], { cnt: 4, unique: 4, last: 3 })
  await client.ok(edit('dropping', ['UCOUNT', 'LAST', 'FIRST']))
  for (const value of await valuesOf('dropping')) t.deepEqual(value, { cnt: 4, unique: 4, last: 3, first: 1 })
  await client.ok(edit('dropping', 'UCOUNT'))
  const [whole, group, person] = await valuesOf('dropping')
  t.deepEqual([whole, group, person], [{ cnt: 4 }, 4 as never, { cnt: 4 }])
})

test('power sums that are added need the number of their own values: a 409 where events have expired', async (t) => {
  await prepared('sums', ['QUANTILES', 'LAST'])
  const before = await valuesOf('sums')
  const { status, body } = await edit('sums', ['QUANTILES', 'LAST', 'RSTAT'])
  t.deepEqual([status, body.errcode], [409, -4])
  t.deepEqual(await valuesOf('sums'), before)
  await client.ok(edit('sums', ['QUANTILES', 'LAST', 'RSTAT'], { query: '?force=1' }))
  for (const { cnt, sum, p99, last } of await valuesOf('sums'))
    t.deepEqual({ cnt, sum, p99, last }, { cnt: 3, sum: 6, p99: 1000, last: 3 })
})

test('a rebuild and a reconciliation leave what events give', async (t) => {
  const stat = ['UCOUNT', 'RSTAT', 'QUANTILES', 'LAST', 'FIRST', 'TOPK']
  await client.register(schemaOf('again', stat))
  await client.lines('again.s', events.slice(1))
  const before = await valuesOf('again')
  t.like(before[0], { cnt: 3, unique: 3, sum: 6, last: 3, first: 1, top_error: 0 })
  t.deepEqual(
    before.map(({ top }) => top),
    Array.from({ length: 3 }, () => [1, 2, 3].map((value) => ({ value, cnt: 1 }))),
  )
  const checked = await client.ok(client.post('/reconcile?dry=1', {}))
  t.deepEqual(
    checked.streams.filter(({ schema, wrong }: { schema: string; wrong: number }) => schema === 'again' && wrong > 0),
    [],
  )
  await client.ok(client.post('/stream/again/s/rebuild', {}))
  t.deepEqual(await valuesOf('again'), before)
})

test('the most frequent values that are added are filled from the events that are there; another number of them is shown of what was kept', async (t) => {
  await prepared('most', ['COUNT'])
  await client.event('most.s', { _pk: now_us - 500_000, who: 'a', n: 3 })
  const dry = await client.ok(edit('most', ['COUNT', 'TOPK'], { query: '?dry=1', k: 2 }))
  t.deepEqual(dry.would_change[0], {
    ...{ what: 'statistic', name: 's.n', from: 'COUNT every 60 s', to: 'COUNT, TOPK of 2 values every 60 s' },
  })
  await client.ok(edit('most', ['COUNT', 'TOPK'], { k: 2 }))
  const three = { value: 3, cnt: 2 }
  // The event that has expired is still on the disk.
  for (const { cnt, top } of await valuesOf('most')) t.deepEqual([cnt, (top as object[])[0]], [5, three])
  await client.event('most.s', { _pk: now_us, who: 'a', n: 2 })
  await client.ok(edit('most', ['COUNT', 'TOPK'], { k: 3 }))
  for (const { cnt, top, top_error } of await valuesOf('most'))
    t.deepEqual(
      { cnt, top, top_error },
      { cnt: 6, top: [{ value: 2, cnt: 2 }, three, { value: 1, cnt: 1 }], top_error: 0 },
    )
  await client.ok(edit('most', ['COUNT', 'LAST']))
  for (const value of await valuesOf('most')) t.deepEqual(value, { cnt: 6, last: 2 })
})

test('of more than 1,000 values in a block those stay that came most often, and the answer tells how many more any may have', async (t) => {
  await client.register(schemaOf('many', 'TOPK', { k: 3 }))
  const pk = now_us - 60_000_000
  const rare = Array.from({ length: 1500 }, (_, i) => ({ _pk: pk, who: 'a', n: i }))
  const often = Array.from({ length: 30 }, (_, i) => ({ _pk: pk, who: 'a', n: i % 2 }))
  await client.lines('many.s', [...rare, ...often])
  const top = [
    { value: 0, cnt: 16 },
    { value: 1, cnt: 16 },
  ]
  for (const value of await valuesOf('many')) t.deepEqual(value, { cnt: 1530, top, top_error: 1 })
  await client.lines('many.s', [{ _pk: pk, who: 'a', n: 7 }])
  for (const value of await valuesOf('many'))
    t.deepEqual(value, { cnt: 1531, top: [...top, { value: 7, cnt: 1 }], top_error: 1 })
  const { streams } = await client.ok(client.post('/reconcile?dry=1', {}))
  t.deepEqual(
    streams.filter(({ schema, wrong }: { schema: string; wrong: number }) => schema === 'many' && wrong > 0),
    [],
  )
})

test('rows of keys that are erased take their most frequent values along', async (t) => {
  await prepared('keyed', ['TOPK'])
  await client.event('keyed.s', { _pk: now_us, who: 'b', n: 1 })
  await client.ok(client.query("delete from keyed.people where who = 'a'"))
  await client.event('keyed.s', { _pk: now_us, who: 'a', n: 9 })
  const rows = await client.rows('select * from keyed.people')
  t.deepEqual(
    rows.map(({ k, v }) => [k, JSON.parse(String(v)).n.top]),
    [
      ['a', [{ value: 9, cnt: 1 }]],
      ['b', [{ value: 1, cnt: 1 }]],
    ],
  )
})

const refusals: Readonly<Record<string, readonly [attribute: object, RegExp]>> = {
  'no statistic': [{ stat: [] }, /stat: must name at least one statistic/],
  'a statistic twice': [{ stat: ['LAST', 5] }, /stat\[1\]: LAST is there already/],
  'none among others': [{ stat: ['NONE', 'LAST'] }, /stat\[0\]: unknown stat 'NONE'/],
  'a level of 1': [{ stat: 4, q: [1] }, /q\[0\]: must be a number between 0 and 1/],
  'a level twice': [{ stat: 4, q: [0.5, 0.5] }, /q\[1\]: p50 is there already/],
  'seventeen levels': [
    { stat: 4, q: Array.from({ length: 17 }, (_, i) => (i + 1) / 100) },
    /q: must have at most 16 levels/,
  ],
  'seven digits': [{ stat: 4, q: [0.1234567] }, /q\[0\]: must have at most 6 digits behind the point/],
  'a hundred and one values': [{ stat: 7, k: 101 }, /k: must be a whole number from 1 to 100/],
  'half a value': [{ stat: 7, k: 2.5 }, /k: must be a whole number from 1 to 100/],
  'no value': [{ stat: 7, k: 0 }, /k: must be a whole number from 1 to 100/],
  'quantiles of texts': [{ stat: ['LAST', 4], type: 5 }, /QUANTILES takes LONG or DOUBLE and 'n' is STRING/],
}
for (const [title, [attribute, reason]] of Object.entries(refusals)) {
  test(`refused with its reason: ${title}`, async (t) => {
    const attr = [{ name: 'n', type: 9, ...attribute }]
    const { status, body } = await client.post('/stream', {
      schema: 'refused',
      streams: [{ name: 's', type: 1, swsz: 0, attr }],
    })
    t.is(status, 400)
    t.regex(body.error.join('\n'), reason)
  })
}

test('levels without QUANTILES do nothing, and the answer says so', async (t) => {
  const attr = [{ name: 'n', type: 9, stat: 3, q: [0.5] }]
  const { error } = await client.register({ schema: 'idle', streams: [{ name: 's', type: 1, swsz: 0, attr }] })
  t.deepEqual(error, ['streams[0].attr[0].q does nothing without QUANTILES in stat'])
})

test('a number of values without TOPK does nothing, and the answer says so', async (t) => {
  const attr = [{ name: 'n', type: 9, stat: 3, k: 5 }]
  const { error } = await client.register({ schema: 'idle_k', streams: [{ name: 's', type: 1, swsz: 0, attr }] })
  t.deepEqual(error, ['streams[0].attr[0].k does nothing without TOPK in stat'])
})
