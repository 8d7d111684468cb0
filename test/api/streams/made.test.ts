/** Streams that rules make, in the life of a schema: their rows are put where the log would bring them. */
import test from 'ava'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { plantWire } from '../../support/made-schema.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

let clickhouse: ClickHouse
const { client, close } = await startService({}, undefined, {
  clickhouse: (part) => {
    clickhouse = part
    return part
  },
})
test.after.always(close)

let batches = 0
const put = (schema: string, stream: string, lines: readonly object[]): Promise<void> =>
  clickhouse.insert({
    table: `${schema}.${stream}__in`,
    rows: Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
    token: `rows ${batches++}`,
  })

const now = Date.now() * 1000
/** Two rows of one event: each has a `_seq` of its own. */
const row = (n: number, more: object = {}) => ({
  _pk: now + 1_000_000 * Math.floor(n / 2),
  _seq: now + n,
  temp: 70 + n,
  press: 10 + n / 2,
  point: n < 4 ? 'a' : 'b',
  _rest: JSON.stringify({ _jpk1: n, _j1: { press: n } }),
  _pivot_temp: 0,
  ...more,
})
const rows = [0, 1, 2, 3, 4, 5].map((n) => row(n))

/** A schema of its own for each test, with rows in `readings`. */
async function plantNamed(schema: string): Promise<void> {
  await client.register({ ...plantWire, schema })
  await put(schema, 'readings', rows)
}

const withoutPk = (documents: readonly { _pk: unknown }[]) => documents.map(({ _pk, ...members }) => members)

const temps = (answer: { rows: readonly { v: string | number }[] }): number[] =>
  answer.rows.map(({ v }) => JSON.parse(String(v)).temp)

test('rows are queried as events are: filtered, counted, summed up, page by page', async (t) => {
  await plantNamed('asked')
  const all = await client.ok(client.query('select * from asked.readings'))
  t.like(all, { num_items: 6, more_data_to_come: 0, switch_done: 1 })
  t.deepEqual(temps(all), [75, 74, 73, 72, 71, 70])
  t.like(JSON.parse(all.rows[0].v), { _v: 1, _jpk1: 5, _j1: { press: 5 }, point: 'b' })
  for (const [where, count] of Object.entries({ '_jpk1 > 3': 2, '_j1.press <= 1': 2, 'temp > 70 and _jpk1 < 2': 1 })) {
    const answer = await client.ok(client.query(`select count(*) from asked.readings where ${where}`))
    t.deepEqual(answer, { retval: count }, where)
  }
  t.is(await client.count(`select count(*) from asked.readings where st >= ${now + 1} and et <= ${now + 1_000_000}`), 2)
  const { v } = (await client.rows('select aggr(temp) from asked.readings rollup 1'))[0] ?? {}
  t.like(JSON.parse(String(v)).aggr_val, { cnt: 6, max: 75 })
  const groups = await client.rows('select aggr(temp) from asked.readings groupby point')
  t.deepEqual(
    groups.map(({ k, v: value }) => [k, value]),
    [
      ['a', 4],
      ['b', 2],
    ],
  )
  t.deepEqual(await client.documents('select * from asked.points where point = "b"'), [{ seen: { cnt: 2 } }])

  const seen: number[] = []
  const sql = 'select * from asked.readings limit 3'
  for (let more: Readonly<Record<string, unknown>> | undefined = {}; more; ) {
    const page: Readonly<Record<string, unknown>> & { rows: { v: string }[] } = await client.ok(client.query(sql, more))
    seen.push(...temps(page))
    more = page.more_data_to_come === 1 ? { levk: page.levk, sec_buf: page.sec_buf, switch_done: 1 } : undefined
  }
  t.deepEqual(seen, temps(all))
  const none = await client.ok(client.query('select * from asked.hot where _j1.x = 1'))
  t.regex(none.error[0], /_j1/, 'a stream of copies has no other event')
})

test('rows are not posted, and the schema tells of the stream as of others', async (t) => {
  await plantNamed('told')
  const posted = await client.post('/stream/told/readings', { temp: 1 })
  const inserted = await client.query('insert into told.readings values ("temp":1)')
  for (const { status, body } of [posted, inserted]) {
    t.true(status >= 400 && status < 500)
    t.regex(JSON.stringify(body.error), /takes no posted events|fed by other streams/)
  }
  const { streams } = await client.ok(client.get('/stream/told/info'))
  t.deepEqual(
    streams.map(({ name, type, num_events }: Record<string, unknown>) => [name, type, num_events]),
    [
      ...[
        ['temps', 1, 0],
        ['presses', 1, 0],
        ['readings', 3, 6],
        ['hot', 2, 0],
      ],
      ...[
        ['rising', 2, 0],
        ['warm', 2, 0],
        ['high', 2, 0],
        ['points', 4, 2],
      ],
    ],
  )
  t.deepEqual((await client.ok(client.get('/stream/told/readings/count'))).count, 6)
  const nodes = await client.ok(client.graph('told.readings', 's=>(place:*)-[READ]->(temp:*)'))
  t.is(nodes.triple.length, 6)
})

test('OFF and ON of a stream that rules make change its state alone', async (t) => {
  await plantNamed('offs')
  for (const state of [0, 1]) {
    await client.ok(client.send('PUT', '/stream/offs/readings/state', { state }))
    t.is((await client.ok(client.get('/stream/offs/readings/state'))).state, state)
    await put('offs', 'readings', [row(10 + state)])
  }
  t.is(await client.count('select count(*) from offs.readings'), 8)
})

test('an edit gives a stream that rules make a statistic over its rows, which a rebuild and a deletion leave', async (t) => {
  await plantNamed('lives')
  const streams = plantWire.streams.map((stream: { name: string; attr: { name: string }[] }) =>
    stream.name === 'readings'
      ? { ...stream, attr: stream.attr.map((each) => (each.name === 'press' ? { ...each, stat: 'RSTAT' } : each)) }
      : stream,
  )
  await client.ok(client.send('PUT', '/stream', { ...plantWire, schema: 'lives', streams }))
  const press = async () =>
    JSON.parse(String((await client.rows('select aggr(press) from lives.readings rollup 1'))[0]?.v))
  t.like((await press()).aggr_val, { cnt: 6, sum: 67.5 })

  await client.ok(client.post('/stream/lives/readings/rebuild', ''))
  await client.ok(client.post('/stream/lives/temps/rebuild', ''))
  await until('both rebuilds', async () => {
    const infos = (await client.ok(client.get('/stream/lives/info'))).streams
    return infos.slice(0, 3).every(({ rebuild }: { rebuild?: { state: string } }) => rebuild?.state !== 'running')
  })
  t.like((await press()).aggr_val, { cnt: 6, sum: 67.5 })
  t.is(await client.count('select count(*) from lives.readings'), 6)

  const alone = await client.send('DELETE', '/stream/lives/readings')
  t.is(alone.status, 409)
  const dry = await client.ok(client.send('DELETE', '/stream/lives?dry=1'))
  t.true(JSON.stringify(dry).includes('"lives__readings","num_events":6'), JSON.stringify(dry))
  await client.ok(client.send('DELETE', '/stream/lives?undo=1'))
  t.is((await client.get('/stream/lives/info')).status, 404)
  await client.ok(client.send('POST', '/stream/lives/undelete'))
  t.like((await press()).aggr_val, { cnt: 6, sum: 67.5 })
  await put('lives', 'readings', [row(6, { _pivot_press: 0 })])
  t.is((await press()).aggr_val.cnt, 7)
})

test('an erasure takes rows out of their stream, and copies of them out of the streams behind it', async (t) => {
  await plantNamed('erased')
  await put('erased', 'readings', [row(300, { _rest: '{"_jpk1":300}' }), row(302, { _rest: '{"_jpk1":302}' })])
  t.is(await client.count('select count(*) from erased.high'), 2)
  const { retval } = await client.ok(
    client.post('/db/mydb/query', { sql: 'delete from erased.readings where _jpk1 = 300' }),
  )
  t.is(retval, 1)
  t.is(await client.count('select count(*) from erased.high'), 1)
  t.is(await client.count('select count(*) from erased.readings'), 7)
})

test('copies that rules make go with the event that they are copies of', async (t) => {
  await client.register({ ...plantWire, schema: 'copies' })
  for (const point of ['a', 'b']) await client.event('copies.temps', { temp: 80, point })
  t.deepEqual(await client.documents('select * from copies.hot where point = "a"').then(withoutPk), [
    { _v: 1, temp: 80, point: 'a', twice: 160 },
  ])
  t.is((await client.ok(client.query('delete from copies.temps where point = "a"'))).retval, 1)
  t.deepEqual(await client.documents('select * from copies.hot').then(withoutPk), [
    { _v: 1, temp: 80, point: 'b', twice: 160 },
  ])
})

test('a row of a join goes through its stream: its statistics, entities, filters and graph', async (t) => {
  await client.register({ ...plantWire, schema: 'joined' })
  // Matches are taken away within seconds, since no notification of theirs is registered: all are written down here.
  await clickhouse.run(
    'CREATE MATERIALIZED VIEW joined.seen_matches ENGINE = MergeTree ORDER BY tuple() AS SELECT _schema, _notifid FROM weir.notification_matches',
  )
  const first = await client.event('joined.temps', { temp: 71, point: 'a' })
  await client.lines('joined.presses', [
    { press: 10, point: 'b' },
    { press: 12, point: 'a' },
  ])
  const [row] = await client.documents('select * from joined.readings')
  t.like(row, { press: 12, temp: 71, point: 'a', _jpk1: first })
  t.deepEqual(await client.rows('select aggr(temp) from joined.readings groupby point'), [{ k: 'a', v: 1 }])
  t.deepEqual(await client.documents('select * from joined.points'), [{ seen: { cnt: 1 } }])
  t.is(await client.count('select count(*) from joined.high'), 1)
  const { triple } = await client.ok(client.graph('joined.readings', 's=>(place:a)-[READ]->(temp:*)'))
  t.is(triple.length, 1)
  // Matches come to ClickHouse by a part of the log of their own, behind which no query here waits.
  await until('both matches', async () => {
    const [found] = await clickhouse.rows<{ n: number }>({
      text: "SELECT count() AS n FROM joined.seen_matches WHERE _schema = 'joined' AND _notifid IN (7, 8)",
      params: {},
    })
    return Number(found?.n) === 2
  })

  // A copy of the row goes with it.
  t.is((await client.ok(client.query(`delete from joined.readings where _jpk1 = ${first}`))).retval, 1)
  t.is(await client.count('select count(*) from joined.high'), 0)
})

test('copies of a row that rules make go with it, also where rules make them', async (t) => {
  const twice = { name: 'twice', type: 11, opnm: 'ADD', iatr: ['temp', 'temp'] }
  const streams = plantWire.streams.map((stream: { name: string; fltr: { name: string }[] }) => {
    if (stream.name === 'high') return { ...stream, catr: [twice] }
    const [high] = stream.fltr ?? []
    return stream.name === 'readings' ? { ...stream, fltr: [high, { ...high, name: 'again' }] } : stream
  })
  await client.register({ schema: 'further', streams })
  for (const point of ['a', 'b']) {
    await client.event('further.temps', { temp: 1, point })
    await client.event('further.presses', { press: 2, point })
  }
  const high = await client.documents('select * from further.high')
  t.deepEqual(
    high.map(({ twice: value }) => value),
    [2, 2, 2, 2],
  )
  t.is((await client.ok(client.query('delete from further.readings where point = "a"'))).retval, 1)
  t.is(await client.count('select count(*) from further.high'), 2)
})

test('a rule that an edit drops and another brings again remembers nothing of before', async (t) => {
  const whole = { ...plantWire, schema: 'forgets' }
  const isRule = ({ name }: { name: string }) => ['temps', 'presses', 'warm', 'hot', 'rising'].includes(name)
  const without = {
    schema: 'forgets',
    streams: plantWire.streams.filter(isRule).map((stream: object) => ({ ...stream, join: undefined })),
  }
  await client.register(whole)
  await client.event('forgets.temps', { temp: 1, point: 'a' })
  await client.ok(client.send('PUT', '/stream?force=1', without))
  await client.ok(client.send('PUT', '/stream', whole))
  await client.event('forgets.presses', { press: 1, point: 'a' })
  t.is(await client.count('select count(*) from forgets.readings'), 0)
  await client.event('forgets.temps', { temp: 2, point: 'a' })
  t.is(await client.count('select count(*) from forgets.readings'), 1)
})

test('an edit makes a stream of copies one that rules make, and back: no event is copied twice or left out', async (t) => {
  const {
    catr: _,
    node: __,
    fltr: ___,
    ...hot
  } = plantWire.streams.find(({ name }: { name: string }) => name === 'hot')
  const plain = {
    schema: 'turns',
    streams: plantWire.streams.flatMap((stream: { name: string; fltr: object[] }) => {
      if (stream.name === 'hot') return [hot]
      if (stream.name === 'temps') return [{ ...stream, join: undefined }]
      return stream.name === 'warm' ? [stream] : []
    }),
  }
  const made = {
    ...plain,
    streams: plain.streams.map((stream: { name: string }) => (stream.name === 'hot' ? { ...stream, catr: _ } : stream)),
  }
  await client.register(plain)
  const temps: number[] = []
  let isOver = false
  const posting = (async () => {
    for (let temp = 71; !isOver; temp++) {
      await client.event('turns.temps', { temp, point: 'a' })
      temps.push(temp)
    }
  })()
  for (const schema of [made, plain, made]) await client.ok(client.send('PUT', '/stream', schema))
  isOver = true
  await posting
  await client.event('turns.temps', { temp: 1e6, point: 'a' })
  t.is(await client.count('select count(*) from turns.hot'), temps.length + 1)
  t.is(await client.count('select count(*) from turns.warm'), temps.length + 1)
  t.like((await client.documents('select * from turns.hot where temp = 1000000'))[0], { twice: 2e6 })
})
