import test from 'ava'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const { client, close } = await startService()
test.after.always(close)

const attr = [
  { name: 'who', type: 5 },
  { name: 'n', type: 9, stat: 'RSTAT', gran: 60 },
]
const filter = (name: string, val: number, ostm: string) => ({
  name,
  fqry: { name: JSON.stringify({ query: [{ key: 'n', cmp_op: 0, val }], qtype: 1 }), type: 1 },
  fatr: ['who', 'n'],
  ostm,
})
const shop = (schema: string, swsz = 0) => ({
  schema,
  streams: [
    {
      name: 's',
      type: 1,
      swsz,
      attr,
      gpby: [{ gpat: ['who'], iatr: 'n', stat: 'COUNT', gran: 60 }],
      enty: [
        {
          name: 'e',
          opid: 1,
          ratr: ['seen'],
          iatr: ['n'],
          pkatr: [{ name: 'id', type: 5, iatr: ['who'] }],
          rstm: 'people',
        },
      ],
      rels: [{ sub: 'who', obj: 'n', rel: 'HAS' }],
      fltr: [filter('f', 1, 'dear')],
    },
    { name: 'dear', type: 2, swsz, inpt: ['s'], attr, fltr: [filter('g', 2, 'dearest')] },
    { name: 'dearest', type: 2, swsz, inpt: ['dear'], attr },
    { name: 'people', type: 4, inpt: ['s'], attr: [] },
  ],
})
const erase = (sql: string, query = '') => client.post(`/db/mydb/query${query}`, { sql })
const erased = async (sql: string, query = ''): Promise<number> => (await client.ok(erase(sql, query))).retval
const numbers = async (stream: string) => (await client.documents(`select * from ${stream}`)).map(({ n }) => n).sort()
const whole = async (sql: string) => JSON.parse(String((await client.rows(`${sql} rollup 1`))[0]?.v ?? '{}')).aggr_val
const sum = async (stream: string) => (await whole(`select aggr(n) from ${stream}`))?.sum
const people = async (schema: string) =>
  Object.fromEntries(
    (await client.rows(`select * from ${schema}.people`)).map(({ k, v }) => [k, JSON.parse(String(v)).seen.cnt]),
  )
const edges = async (schema: string) =>
  (await client.ok(client.graph(`${schema}.s`, 's=>(who:*)-[HAS]->(n:*)'))).num_items
const rebuilt = (schema: string, stream: string) =>
  until(
    'the end of a rebuild',
    async () => {
      const { streams } = await client.ok(client.get(`/stream/${schema}/info`))
      const { rebuild } = streams.find(({ name }: { name: string }) => name === stream)
      return rebuild?.state === 'done' ? true : undefined
    },
    60_000,
  )
const events = [
  { who: 'ann', n: 1 },
  { who: 'ann', n: 2 },
  { who: 'ann', n: 3, more: { at: 'home' } },
  { who: 'bob', n: 1 },
  { who: 'bob', n: 3 },
]

test('events that match go, with the copies in filter streams, and statistics keep what they counted', async (t) => {
  await client.register(shop('plain'))
  await client.lines('plain.s', events)
  t.is(await erased('delete from plain.s where who = "ann" and n >= 2'), 2)
  t.deepEqual(await numbers('plain.s'), [1, 1, 3])
  t.deepEqual(await client.documents('select * from plain.dear').then((all) => all.map(({ who }) => who)), ['bob'])
  t.deepEqual(await client.documents('select * from plain.dearest').then((all) => all.map(({ who }) => who)), ['bob'])
  t.is(await sum('plain.s'), 10)
  t.is(await sum('plain.dear'), 8)
  t.deepEqual(await people('plain'), { ann: 3, bob: 2 })
  t.is(await edges('plain'), 5)
  t.is(await erased('delete from plain.s where who = "ann" and n >= 2'), 0)

  const { streams } = await client.ok(client.post('/reconcile', { schema: 'plain' }))
  t.deepEqual(
    streams.filter(({ wrong }: { wrong: number }) => wrong > 0),
    [],
  )
  t.is(await sum('plain.s'), 10)
  t.is(await edges('plain'), 5)
})

test('with rebuild=1 all aggregates are made anew from what is left', async (t) => {
  await client.register(shop('anew', 86_400))
  await client.lines('anew.s', events)
  t.is(await erased('delete from anew.s where who = "bob"'), 2)
  const { retval, errcode, msg, error } = await client.ok(
    erase('delete from anew.s where more.at = "home"', '?rebuild=1'),
  )
  t.deepEqual([retval, errcode], [1, 0])
  t.is(msg, error[0])
  t.regex(error[0], /^rebuild of anew\.s, anew\.dear, anew\.dearest has begun/)
  for (const stream of ['s', 'dear', 'dearest']) await rebuilt('anew', stream)
  t.is(await sum('anew.s'), 3)
  t.is(await sum('anew.dear'), 2)
  t.is(await sum('anew.dearest'), 0)
  t.deepEqual(await people('anew'), { ann: 2 })
  t.is(await edges('anew'), 2)
})

test('a row of an entity goes by its key, and a later event begins it anew', async (t) => {
  await client.register(shop('rows'))
  await client.lines('rows.s', events)
  t.is(await erased('delete from rows.people where id = "ann"'), 1)
  t.deepEqual(await people('rows'), { bob: 2 })
  t.is(await erased('delete from rows.people where id = "ann"'), 0)
  await client.ok(client.post('/reconcile', { schema: 'rows' }))
  t.deepEqual(await people('rows'), { bob: 2 })
  await client.event('rows.s', { who: 'ann', n: 9 })
  t.deepEqual(await people('rows'), { ann: 1, bob: 2 })
  const { body, status } = await erase('delete from rows.people where id = "ann"', '?rebuild=1')
  t.is(status, 400)
  t.regex(body.error[0], /a rebuild would bring its rows back/)
  t.deepEqual(await people('rows'), { ann: 1, bob: 2 })
})

const refusals: readonly (readonly [title: string, sql: string, query: string, status: number, message: RegExp])[] = [
  [
    'without a condition',
    'delete from no.s',
    '',
    400,
    /would remove every event: write where .* DELETE \/stream\/no\/s/,
  ],
  ['of all rows', 'delete from no.people', '', 400, /would remove every row: write where <key>/],
  ['with a limit', 'delete from no.s where n = 1 limit 1', '', 400, /'limit' does not go with 'delete'/],
  [
    'by a wrong type',
    'delete from no.s where n = "x"',
    '',
    400,
    /line 1, column 24: n is LONG: compare it with a number/,
  ],
  ['by a key that is misspelt', 'delete from no.people where seen.cmt > 1', '', 400, /did you mean seen\.cnt\?/],
  ['by no key', 'delete from no.people where name = "x"', '', 400, /name is no key .* there are id, seen\.cnt/],
  ['of no stream', 'delete from no.t where n = 1', '', 404, /no stream "t" in schema no/],
  ['of no schema', 'delete from nothing.t where n = 1', '', 404, /no schema "nothing"/],
  ['changed', 'update no.s set val = {"n": 1} where n = 1', '', 400, /what it holds is not changed; insert adds/],
]

for (const [title, sql, query, status, message] of refusals) {
  test(`events are not erased ${title}`, async (t) => {
    await client.register(shop('no')).catch(() => {})
    const answer = await erase(sql, query)
    t.is(answer.status, status, answer.text)
    t.regex(answer.body.error[0], message)
  })
}

test('an erasure with rebuild=1 is refused before it erases where a rebuild would lose expired events', async (t) => {
  await client.register(shop('old', 600))
  await client.lines('old.s', [...events, { who: 'ann', n: 5, _pk: (Date.now() - 3_600_000) * 1000 }])
  const { body, status } = await erase('delete from old.s where who = "bob"', '?rebuild=1')
  t.is(status, 409)
  t.regex(body.error[0], /hold events that have expired and would be lost; \?force=1/)
  t.is(await client.count('select count(*) from old.s'), 5)
  t.is(await erased('delete from old.s where who = "bob"', '?rebuild=1&force=1'), 2)
  for (const stream of ['s', 'dear', 'dearest']) await rebuilt('old', stream)
  t.is(await sum('old.s'), 6)
})

test('erasures of what is kept no longer keep no rebuild away', async (t) => {
  await client.register(shop('twice', 86_400))
  await client.lines('twice.s', events)
  t.is(await erased('delete from twice.s where who = "ann"'), 3)
  const { retval, msg, error } = await client.ok(erase('delete from twice.s where who = "ann"', '?rebuild=1'))
  t.is(retval, 0)
  t.deepEqual(error, [msg])
  t.regex(msg, /^rebuild of twice\.s, .* has begun/)
  for (const stream of ['s', 'dear', 'dearest']) await rebuilt('twice', stream)
  t.is(await sum('twice.s'), 4)
  t.deepEqual(await people('twice'), { bob: 2 })
})

test('an erasure is in the record of changes, with no value of its condition', async (t) => {
  await client.register(shop('told'))
  await client.lines('told.s', events)
  await erased('delete from told.s where who = "ann" and n > 1 or who = "ann"')
  await erased('delete from told.people where id = "ann"')
  const { changes } = await client.ok(client.get('/audit?limit=100'))
  const own = changes.filter(
    ({ what, name }: { what: string; name: string }) => what === 'erasure' && /^told/.test(name),
  )
  t.deepEqual(
    own.map(({ name, detail }: { name: string; detail: string }) => [name, detail]),
    [
      ['told.people', '1 erased by id'],
      ['told.s', '3 erased by who, n'],
    ],
  )
})

test('forty erasures at once each find their own events, while others come in', async (t) => {
  t.timeout(300_000)
  await client.register(shop('many'))
  await client.lines(
    'many.s',
    Array.from({ length: 400 }, (_, n) => ({ who: `p${n % 40}`, n })),
  )
  let isOver = false
  let late = 0
  const coming = (async () => {
    for (; !isOver; late++) await client.event('many.s', { who: 'late', n: late })
  })()
  const counts = await Promise.all(
    Array.from({ length: 40 }, (_, n) => erased(`delete from many.s where who = "p${n}"`)),
  )
  isOver = true
  await coming
  t.deepEqual(
    counts,
    counts.map(() => 10),
  )
  t.true(late > 0)
  t.is(await client.count('select count(*) from many.s'), late)
  t.is((await whole('select aggr(n) from many.s')).cnt, 400 + late)
})

test('events that were acknowledged a moment before go as well, and those of a stream that is OFF', async (t) => {
  await client.register(shop('now'))
  for (let round = 0; round < 20; round++) {
    await client.event('now.s', { who: 'ann', n: round })
    t.is(await erased('delete from now.s where who = "ann"'), 1)
  }
  await client.event('now.s', { who: 'ann', n: 1 })
  await client.ok(client.send('PUT', '/stream/now/s/state', { state: 0 }))
  t.is(await erased('delete from now.s where who = "ann"'), 1)
})
