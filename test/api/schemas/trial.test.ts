import test from 'ava'
import { startService } from '../../support/service.ts'

const service = await startService()
const { client } = service
test.after.always(() => service.close())

const visits = (more: object = {}) => ({
  name: 'visits',
  type: 1,
  swsz: 0,
  attr: [
    { name: 'who', type: 'STRING' },
    { name: 'price', type: 'DOUBLE', stat: 'RSTAT' },
  ],
  ...more,
})
const dear = (val: number) => ({
  name: 'dear',
  fqry: { name: JSON.stringify({ query: [{ key: 'price', cmp_op: 0, val }], qtype: 1 }), type: 1 },
  ostm: 'expensive',
})
const expensive = { name: 'expensive', type: 2, swsz: 0 }
const people = {
  name: 'people',
  type: 4,
  attr: [
    { name: 'who', type: 5, pk: 1 },
    { name: 'n', type: 9 },
  ],
}
const enty = [{ opid: 1, ratr: ['n'], iatr: ['price'], pkatr: [{ name: 'who', iatr: ['who'] }], rstm: 'people' }]
const nothing = {
  errcode: 0,
  dry: 1,
  would_add: [],
  would_change: [],
  would_fill: [],
  would_lose: [],
  would_refuse: [],
}

const put = async (schema: string, streams: readonly object[], query = 'dry=1') =>
  await client.ok(client.send('PUT', `/stream?${query}`, { schema, streams }))

async function register(schema: string, streams: readonly object[]) {
  await client.register({ schema, streams })
  await client.lines(`${schema}.visits`, [
    { who: 'ann', price: 5, coupon: 'x' },
    { who: 'bob', price: 500 },
    { who: 'ann', price: 50 },
  ])
}

test('an edit that is tried says what it would add and fill, and changes nothing', async (t) => {
  await register('adds', [visits()])
  const attr = [...visits().attr, { name: 'coupon', type: 'STRING', stat: 'COUNT', required: 1 }]
  const gpby = [{ gpat: ['who'], iatr: 'price', stat: 'RSTAT', gran: 300 }]
  const rels = [{ sub: 'who', rel: 'USES', obj: 'coupon' }]
  const catr = [{ name: 'twice', type: 'DOUBLE', opnm: 'MUL', iatr: ['price', 2] }]
  const next = [visits({ attr, gpby, rels, catr, enty, fltr: [dear(100)], strict: 1 }), expensive, people]
  const before = await client.get('/stream/adds/schema')
  const events = { num_events: 3 }
  t.deepEqual(await put('adds', next), {
    ...nothing,
    would_add: [
      { what: 'stream', name: 'expensive', detail: 'filter' },
      { what: 'stream', name: 'people', detail: 'entity' },
      { what: 'attribute', name: 'visits.coupon', detail: 'STRING' },
      { what: 'attribute', name: 'visits.twice', detail: 'DOUBLE' },
      { what: 'computed attribute', name: 'visits.twice' },
      { what: 'statistic', name: 'visits.coupon', detail: 'COUNT every 60 s' },
      { what: 'group-by', name: 'aggr(price) from visits groupby who', detail: 'RSTAT every 300 s' },
      { what: 'entity', name: 'people.n', detail: 'COUNT of visits.price by who' },
      { what: 'relation', name: '(who:who)-[USES]->(coupon:coupon) of visits' },
      { what: 'filter', name: 'visits.dear into expensive' },
    ],
    would_change: [{ what: 'strict', name: 'visits', from: '0', to: '1' }],
    would_fill: [
      { what: 'attribute', name: 'visits.coupon', detail: 'STRING', ...events },
      { what: 'statistic', name: 'visits.coupon', detail: 'COUNT every 60 s', ...events },
      { what: 'group-by', name: 'aggr(price) from visits groupby who', detail: 'RSTAT every 300 s', ...events },
      { what: 'entity', name: 'people.n', detail: 'COUNT of visits.price by who', ...events },
      { what: 'relation', name: '(who:who)-[USES]->(coupon:coupon) of visits', ...events },
      { what: 'filter', name: 'visits.dear into expensive', ...events },
    ],
  })
  t.is((await client.get('/stream/adds/schema')).text, before.text)
  const { changes } = (await client.get('/audit')).body
  t.is(changes.filter(({ name }: { name: string }) => name === 'adds').length, 1)

  // The edit itself does so.
  await put('adds', next, 'dry=0')
  t.is(await client.count('select count(*) from adds.expensive'), 1)
  t.is((await client.rows('select aggr(coupon) from adds.visits rollup 1')).length, 1)
  t.deepEqual(
    (await client.rows('select * from adds.people')).map(({ k }) => k),
    ['ann', 'bob'],
  )
  t.deepEqual(await put('adds', next), nothing)
})

test('an edit that is tried says what it would lose, and why it would be refused', async (t) => {
  await register('loses', [visits({ enty, fltr: [dear(100)] }), expensive, people])
  const refusals = [
    'stream expensive holds events that would be lost; ?force=1 drops it all the same',
    'stream people holds aggregates that would be lost; ?force=1 drops it all the same',
  ]
  const next = [visits({ attr: visits().attr.slice(1) })]
  const dropped = 'its values come back with their events as undeclared members'
  const lost = [
    { what: 'stream', name: 'expensive', detail: 'filter', num_events: 1 },
    { what: 'stream', name: 'people', detail: 'entity', num_events: 2 },
    { what: 'attribute', name: 'visits.who', detail: dropped },
    { what: 'entity', name: 'people.n', detail: 'COUNT of visits.price by who' },
    { what: 'filter', name: 'visits.dear into expensive', detail: 'copied events stay, and no more come' },
  ]
  const error = [`attribute visits.who is no longer declared: ${dropped}; its statistics go`]
  t.deepEqual(await put('loses', next), { ...nothing, would_lose: lost, would_refuse: refusals, error })
  t.deepEqual(await put('loses', next, 'dry=1&force=1'), { ...nothing, would_lose: lost, error })
  t.is((await client.send('PUT', '/stream', { schema: 'loses', streams: next })).status, 409)
  t.is((await client.get('/stream/loses/info')).body.num_streams, 3)

  const other = await put('loses', [
    visits({ attr: [{ name: 'who', type: 'LONG' }, visits().attr[1]], enty, fltr: [dear(200)] }),
    expensive,
    { ...people, attr: [{ name: 'who', type: 9, pk: 1 }, people.attr[1]] },
  ])
  t.like(other.would_refuse, ['attribute visits.who is STRING and stays so, got LONG'])
  const fqry = (val: number): string =>
    `{"fatr":["who","price"],"fqry":{"name":{"query":[{"key":"price","cmp_op":0,"val":${val}}],"qtype":1}}}`
  t.deepEqual(
    other.would_change.filter(({ what }: { what: string }) => what === 'filter'),
    [{ what: 'filter', name: 'visits.dear into expensive', from: fqry(100), to: fqry(200) }],
  )
})

test('streams that are added, and a schema that is registered, are tried as well', async (t) => {
  await register('tried', [visits()])
  const more = { ...visits(), name: 'more', gropby: 1 }
  const added = await client.ok(client.send('PUT', '/stream/tried?dry=1', { streams: [more] }))
  t.deepEqual(added, {
    ...nothing,
    would_add: [
      { what: 'stream', name: 'more', detail: 'input' },
      { what: 'statistic', name: 'more.price', detail: 'RSTAT every 60 s' },
    ],
    error: ['streams[0].gropby is unknown and does nothing; did you mean gpby?'],
  })
  const again = await client.ok(client.send('PUT', '/stream/tried?dry=1', { streams: [visits()] }))
  t.deepEqual(again.would_refuse, ['schema tried has visits already; PUT /stream replaces a schema'])
  t.is((await client.send('PUT', '/stream/tried?dry=1&strict=1', { streams: [more] })).status, 400)
  t.is((await client.send('PUT', '/stream/tried?dry=yes', { streams: [more] })).status, 400)
  t.is((await client.get('/stream/tried/info')).body.num_streams, 1)

  const fresh = { schema: 'fresh', streams: [visits()], notifs: [{ notifid: 91, name: 'n' }] }
  const tried = await client.ok(client.post('/stream?dry=1', fresh))
  t.deepEqual(tried, {
    ...nothing,
    would_add: [
      { what: 'stream', name: 'visits', detail: 'input' },
      { what: 'statistic', name: 'visits.price', detail: 'RSTAT every 60 s' },
    ],
  })
  t.is((await client.get('/stream/fresh/schema')).status, 404)
  t.deepEqual(await client.rows('select * from reg_notif where notifid = 91'), [])
  await client.ok(client.post('/stream', fresh))
  const { body } = await client.post('/stream?dry=1', { schema: 'fresh', streams: [more] })
  t.regex(body.would_refuse[0], /registered already with other contents/)

  const unreadable = { schema: 'tried', streams: [visits({ gpby: [{ gpat: ['whom'], iatr: 'price', stat: 1 }] })] }
  t.is((await client.send('PUT', '/stream?dry=1', unreadable)).status, 400)
  t.is((await client.send('PUT', '/stream?dry=1', { schema: 'absent', streams: [visits()] })).status, 404)
})
