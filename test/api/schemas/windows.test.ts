/** Windows by key of entities: queries, references, edits amid events, erasure, rebuild and reconciliation. */
import test from 'ava'
import { openEventStream } from '../../support/requests/event-stream.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const { client, url, close } = await startService()
test.after.always(close)

const key = { name: 'who', type: 5, iatr: ['who'] }
const value = (name: string, opid: unknown, window: unknown, iatr = 'n') => ({
  ...{ name, opid, ratr: [name], iatr: [iatr], pkatr: [key], rstm: 'people' },
  ...(window !== undefined && { window }),
})

/** `spent` has the windows; its references read `reads`. */
const schemaOf = (schema: string, window: unknown, reads: readonly string[] = [], swsz = 0) => ({
  schema,
  streams: [
    {
      ...{ name: 's', type: 1, swsz, inpt: [] },
      attr: [
        { name: 'who', type: 5 },
        { name: 'n', type: 9 },
      ],
      enty: [value('spent', 'RSTAT', window), value('seen', 'COUNT', undefined)],
      ...(reads.length > 0 && {
        refr: [
          {
            ...{ name: 'r', rstm: 'people', ratr: reads, iatr: reads.map((path) => path.replaceAll('.', '_')) },
            jqry: { cond: ['who'], args: ['who'], opnm: 'ATTR' },
          },
        ],
      }),
    },
    { name: 'people', type: 4, inpt: ['s'], attr: [] },
  ],
})

const now_us = Date.now() * 1000
const ago = (seconds: number): number => now_us - seconds * 1_000_000
const events = [
  { _pk: ago(90_000), who: 'ann', n: 1000 },
  { _pk: ago(7_000), who: 'ann', n: 100 },
  { _pk: ago(600), who: 'ann', n: 10 },
  { _pk: ago(5), who: 'ann', n: 1 },
  { _pk: ago(90_000), who: 'bob', n: 7 },
]

type Value = { cnt: number; sum: number } & Record<string, { cnt: number; sum: number }>
async function people(schema: string, more = '', body = {}): Promise<Record<string, Value>> {
  const { rows } = await client.ok(client.query(`select * from ${schema}.people${more}`, body))
  return Object.fromEntries(rows.map(({ k, v }: { k: string; v: string }) => [k, JSON.parse(v).spent]))
}
const sums = (row: Value | undefined, ...windows: string[]) => [row?.sum, ...windows.map((name) => row?.[name]?.sum)]

const reconciled = async (schema: string): Promise<unknown[]> =>
  (await client.ok(client.post('/reconcile', { schema }))).streams.filter(({ wrong }: { wrong: number }) => wrong > 0)

test('a value has its windows beside all time, in conditions and counts, now and at another time', async (t) => {
  await client.register(schemaOf('shown', [86_400, 3_600]))
  await client.lines('shown.s', events)
  const all = await people('shown')
  t.deepEqual(sums(all.ann, '1h', '1d'), [1111, 11, 111])
  t.deepEqual(sums(all.bob, '1h', '1d'), [7, 0, 0])
  t.deepEqual(Object.keys(await people('shown', ' where spent.1h.cnt >= 1 and spent.sum > 1')), ['ann'])
  t.deepEqual(Object.keys(await people('shown', ' where spent.1d.cnt = 0')), ['bob'])
  t.is(Number(await client.count('select count(*) from shown.people where spent.1h.sum = 11')), 1)
  t.deepEqual(sums((await people('shown', '', { at: ago(3_700) })).ann, '1h', '1d'), [1111, 100, 1100])
  t.deepEqual(sums((await people('shown', ` where at = ${ago(3_700)}`)).ann, '1h', '1d'), [1111, 100, 1100])
  const iso = new Date((now_us - 3_700_000_000) / 1000).toISOString()
  t.deepEqual(Object.keys(await people('shown', ` where at = "${iso}" and spent.1h.sum = 100`)), ['ann'])
  const first = await client.ok(client.query('select * from shown.people where spent.cnt > 0 limit 1'))
  t.deepEqual([first.rows.length, first.rows[0].k, first.more_data_to_come], [1, 'ann', 1])
  const plain = await client.ok(client.query('select * from shown.people limit 1', { rows: 'objects' }))
  t.like(plain.rows[0], { who: 'ann', spent: { sum: 1111, '1h': { sum: 11, cnt: 2 } } })
})

test('analysts see the windows of now as columns', async (t) => {
  await client.register(schemaOf('columns', [3_600]))
  await client.lines('columns.s', events)
  await people('columns')
  const { data } = await client.ok(
    client.post('/sql', {
      sql: 'SELECT who, spent_sum, spent_1h_cnt, spent_1h_sum, spent_1h_avg FROM columns.people ORDER BY who FORMAT JSON',
    }),
  )
  t.deepEqual(data, [
    { who: 'ann', spent_sum: 1111, spent_1h_cnt: 2, spent_1h_sum: 11, spent_1h_avg: 5.5 },
    { who: 'bob', spent_sum: 7, spent_1h_cnt: 0, spent_1h_sum: null, spent_1h_avg: null },
  ])
})

test('a reference reads a window at the time of its event, with all events before it', async (t) => {
  await client.register(schemaOf('read', [3_600, 86_400], ['spent.1h.sum', 'spent.1d.cnt', 'spent.cnt']))
  await client.lines('read.s', events)
  const late = { _pk: ago(6_900), who: 'ann', n: 50 }
  await client.event('read.s', late)
  await client.event('read.s', { _pk: ago(1), who: 'ann', n: 3 })
  const stored = await client.documents('select * from read.s where who = "ann"')
  t.deepEqual(
    stored.map(({ n, spent_1h_sum, spent_1d_cnt, spent_cnt }) => [n, spent_1h_sum, spent_1d_cnt, spent_cnt]),
    [
      [3, 11, 4, 5],
      [1, 10, 2, 3],
      [10, 0, 1, 2],
      [50, 100, 2, 4],
      [100, 0, 1, 1],
      [1000, undefined, undefined, undefined],
    ],
  )
})

test('a window that an edit adds is filled from the stored events while events come in, for queries and references', async (t) => {
  await client.register(schemaOf('edited', undefined))
  await client.lines('edited.s', events)
  let isDone = false
  let sent = 0
  const load = (async () => {
    for (; !isDone; sent++) await client.event('edited.s', { who: 'eve', n: 1 })
  })()
  const dry = await client.ok(client.send('PUT', '/stream?dry=1', schemaOf('edited', [3_600, 86_400])))
  t.deepEqual(
    dry.would_add.map(({ what, name }: Record<string, string>) => [what, name]),
    [
      ['window', 'people.spent.1h'],
      ['window', 'people.spent.1d'],
    ],
  )
  t.is(dry.would_fill.length, 2)
  await client.ok(client.send('PUT', '/stream', schemaOf('edited', [3_600, 86_400], ['spent.1h.sum'])))
  isDone = true
  await load
  const { ann, eve } = await people('edited')
  t.deepEqual(sums(ann, '1h', '1d'), [1111, 11, 111])
  t.deepEqual(sums(eve, '1h', '1d'), [sent, sent, sent])
  await client.event('edited.s', { who: 'ann', n: 2 })
  t.like((await client.documents('select * from edited.s where who = "ann" limit 1'))[0], { n: 2, spent_1h_sum: 11 })
  t.deepEqual(await reconciled('edited'), [])

  await client.ok(client.send('PUT', '/stream', schemaOf('edited', [86_400])))
  const left = (await people('edited')).ann
  t.deepEqual(sums(left, '1h', '1d'), [1113, undefined, 113])
  await client.ok(client.send('PUT', '/stream', schemaOf('edited', undefined)))
  t.deepEqual(sums((await people('edited')).ann, '1d'), [1113, undefined])
})

test('a rebuild and a reconciliation leave windows as the events give them', async (t) => {
  await client.register(schemaOf('again', [3_600, 86_400]))
  await client.lines('again.s', events)
  const before = await people('again')
  t.deepEqual(await reconciled('again'), [])
  await client.ok(client.post('/stream/again/s/rebuild', {}))
  await until('the rebuild is done', async () => {
    const { streams } = await client.ok(client.get('/stream/again/info'))
    return streams.find(({ name }: { name: string }) => name === 's').rebuild?.state === 'done' ? true : undefined
  })
  t.deepEqual(await people('again'), before)
})

test('a person whose window is open is erased: the row with its windows, in the tables and for references', async (t) => {
  await client.register(schemaOf('erased', [3_600], ['spent.1h.cnt']))
  await client.lines('erased.s', events)
  t.deepEqual(sums((await people('erased')).ann, '1h'), [1111, 11])
  await client.ok(client.query('delete from erased.s where who = "ann"'))
  // Statistics keep what they counted.
  t.deepEqual(sums((await people('erased')).ann, '1h'), [1111, 11])
  await client.ok(client.query('delete from erased.people where who = "ann"'))
  t.deepEqual(Object.keys(await people('erased')), ['bob'])
  t.deepEqual(await reconciled('erased'), [])
  await client.event('erased.s', { who: 'ann', n: 5 })
  await client.event('erased.s', { who: 'ann', n: 6 })
  t.deepEqual(sums((await people('erased')).ann, '1h'), [11, 11])
  const [last, first] = await client.documents('select * from erased.s where who = "ann"')
  t.deepEqual([first?.spent_1h_cnt, last?.spent_1h_cnt], [undefined, 1])
})

test('a live answer changes by time alone, once an event has left its window', async (t) => {
  const { streams } = schemaOf('moves', [60])
  const attr = [
    { name: 'who', type: 5 },
    { name: 'n', type: 9, stat: 'COUNT', gran: 10 },
  ]
  await client.register({ schema: 'moves', streams: streams.map((each, at) => (at === 0 ? { ...each, attr } : each)) })
  // Its hop is of ten seconds, so that it leaves the window 20 seconds from now at the latest.
  await client.event('moves.s', { _pk: Date.now() * 1000 - 50_000_000, who: 'ann', n: 5 })
  const live = await openEventStream(url, '/db/mydb/query', {
    method: 'POST',
    body: JSON.stringify({ sql: 'select * from moves.people' }),
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
  })
  await live.until('the answer of before and that of after', 2, 'answer')
  const shown = live.data('answer').map(({ rows }) => JSON.parse(rows[0].v).spent)
  t.deepEqual(
    shown.map((spent) => sums(spent, '1m')),
    [
      [5, 5],
      [5, 0],
    ],
  )
})

test('an entity that is dropped takes its windows along', async (t) => {
  await client.register(schemaOf('dropped', [3_600]))
  await client.lines('dropped.s', events)
  const without = schemaOf('dropped', undefined)
  const streams = without.streams.slice(0, 1).map((stream) => ({ ...stream, enty: [] }))
  await client.ok(client.send('PUT', '/stream?force=1', { ...without, streams }))
  await client.ok(client.send('PUT', '/stream', schemaOf('dropped', [3_600])))
  t.deepEqual(sums((await people('dropped')).ann, '1h'), [1111, 11])
})

const refusals: Readonly<Record<string, readonly [enty: object, RegExp]>> = {
  'under a minute': [value('v', 'RSTAT', [59]), /window\[0\]: must be a whole number from 60 to 7776000/],
  'over 90 days': [value('v', 'RSTAT', [7_776_001]), /window\[0\]: must be a whole number from 60 to 7776000/],
  'a window twice': [value('v', 'RSTAT', [3600, 3600]), /window\[1\]: 1h is there already/],
  'seventeen windows': [
    value(
      'v',
      'RSTAT',
      Array.from({ length: 17 }, (_, index) => 60 + index),
    ),
    /window: must have at most 16 windows/,
  ],
  'the last value': [
    value('v', ['RSTAT', 'LAST'], [3600]),
    /window: LAST has no windows: COUNT, UCOUNT, RSTAT, QUANTILES have/,
  ],
  'an object': [value('v', 'RSTAT', { a: 1 }), /window: must be an array of seconds/],
}
for (const [title, [enty, reason]] of Object.entries(refusals)) {
  test(`refused with its reason: ${title}`, async (t) => {
    const schema = schemaOf('refused', undefined)
    const streams = schema.streams.map((stream, index) => (index === 0 ? { ...stream, enty: [enty] } : stream))
    const { status, body } = await client.post('/stream', { ...schema, streams })
    t.is(status, 400)
    t.regex(body.error.join('\n'), reason)
  })
}

test('a reference to a window that there is not is refused, and so is the time of windows of what has none', async (t) => {
  const { status, body } = await client.post('/stream', schemaOf('refused', [3600], ['spent.2h.sum']))
  t.is(status, 400)
  t.regex(
    body.error.join('\n'),
    /'spent\.2h\.sum' is no path such as sales\.avg: 'spent\.2h' is no result of people; did you mean spent\.1h\?/,
  )
  await client.register(schemaOf('asked', [3600]))
  const events = await client.query('select * from asked.s', { at: 1_700_000_000_000_000 })
  t.deepEqual(
    [events.status, events.body.error[0]],
    [400, 'at: asked.s is no entity; at is the time of which windows by key tell'],
  )
  const wrong = await client.query('select * from asked.people where at > 5')
  t.is(wrong.status, 400)
  t.regex(wrong.body.error[0], /at is the time of which windows tell: write at = microseconds/)
  const twice = await client.query('select * from asked.people', { at: 'yesterday' })
  t.regex(twice.body.error[0], /^at: send microseconds since 1970/)
})

test('words say windows, and show them', async (t) => {
  const words = {
    schema: 'worded',
    streams: { s: { keep: 'forever', attributes: { who: 'text', n: 'integer' } } },
    entities: {
      people: { of: 's', by: 'who', values: { spent: { of: 'n', stats: ['summary'], windows: ['1h', '1d'] } } },
    },
  }
  await client.ok(client.post('/stream', words))
  t.deepEqual((await client.ok(client.get('/stream/worded/schema?as=words'))).entities, words.entities)
  const wire = await client.ok(client.get('/stream/worded/schema'))
  t.deepEqual(wire.streams[0].enty[0].window, [3_600, 86_400])
  const wrong = await client.post('/stream', {
    ...words,
    entities: {
      people: { of: 's', by: 'who', values: { spent: { of: 'n', stats: ['summary'], windows: ['1h', '10s'] } } },
    },
  })
  t.regex(wrong.body.error[0], /^entities\.people\.values\.spent\.windows\[1\] .*: must be from 1m to 90d$/)
})

test('a moving condition by key is said in words and on the wire, and holds for the events of a key alone', async (t) => {
  const words = {
    schema: 'keyed',
    streams: {
      orders: {
        keep: 'forever',
        attributes: { customer: 'text', price: { type: 'number', stats: ['summary'] } },
        filters: {
          above: {
            where: 'price > 1.1 * avg(orders.price by customer, 5m)',
            take: ['customer', 'price'],
            into: 'unusual',
          },
        },
      },
      unusual: { keep: 'forever' },
    },
  }
  await client.ok(client.post('/stream', words))
  const shown = await client.ok(client.get('/stream/keyed/schema?as=words'))
  t.is(shown.streams.orders.filters.above.where, words.streams.orders.filters.above.where)
  const wire = await client.ok(client.get('/stream/keyed/schema'))
  t.is(wire.streams[0].fltr[0].fqry.name.query[0].val, 'avg(orders.price by customer, MINUTE_5, MORE_10)')
  await client.lines(
    'keyed.orders',
    [
      ['ann', 10],
      ['bob', 1000],
      ['ann', 20],
      ['bob', 900],
      ['eve', 5],
    ].map(([customer, price]) => ({ customer, price })),
  )
  t.deepEqual(
    (await client.documents('select * from keyed.unusual')).map(({ customer, price }) => [customer, price]),
    [['ann', 20]],
  )
})
