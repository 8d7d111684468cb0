import './edit-cases.ts'
import test from 'ava'
import { at } from '../../support/era.ts'
import { differences } from '../streams/compare.ts'
import type { WireSchema } from '../streams/oracle.ts'
import {
  copy,
  derived,
  input,
  listed,
  more,
  n,
  next,
  other,
  people,
  present,
  put,
  rows,
  start_us,
  who,
} from './edited-service.ts'

test.serial('an edit that would lose data, or change its meaning, is refused and leaves all as it was', async (t) => {
  const client = present()
  const schema: WireSchema = { schema: 'kept', streams: [{ ...more, swsz: 0 }, copy, listed] }
  await client.register(schema)
  const events = Array.from({ length: 20 }, next)
  await client.lines('kept.s', events)
  const attr = more.attr.map((each) => (each.name === 'n' ? { name: 'n', type: 5 } : each))
  const conflicts: readonly [what: RegExp, streams: readonly unknown[]][] = [
    [/s\.n is LONG and stays so, got STRING/, [{ ...input, attr: [who, { name: 'n', type: 5 }] }, copy, listed]],
    [/stream copy holds events that would be lost; \?force=1/, [{ ...more, fltr: [] }, listed]],
    [/stream people holds aggregates that would be lost; \?force=1/, [{ ...more, enty: [] }, copy]],
    [/swsz of stream s: events stay for ever, 60 would lose some; \?force=1/, [{ ...more, swsz: 60 }, copy, listed]],
    [/stream s is of type input and stays so/, [{ ...input, type: 2, inpt: [] }, copy, listed]],
  ]
  for (const [what, streams] of conflicts) {
    const { status, body } = await put({ schema: 'kept', streams })
    t.is(status, 409, JSON.stringify(body))
    t.is(body.errcode, -4)
    t.regex(body.error.join('; '), what)
  }
  const wrong = await put({
    schema: 'kept',
    streams: [{ ...more, attr, gpby: [{ gpat: ['nope'], iatr: 'n', stat: 1 }] }, copy, listed],
  })
  t.is(wrong.status, 400)
  t.is((await put({ schema: 'nowhere', streams: [input] })).status, 404)
  t.deepEqual(await client.ok(client.get('/stream/kept/schema')), schema)
  t.deepEqual(await differences(client, schema, { s: events }), [])

  await client.ok(put({ schema: 'kept', streams: [{ ...input, attr: [who] }] }, '?force=1'))
  t.is((await client.query('select * from kept.copy')).status, 404)
  t.is((await client.query('select aggr(n) from kept.s')).status, 400)
  const documents = await client.documents('select * from kept.s')
  t.is(documents.length, events.length)
  t.true(documents.every((each) => typeof each.n === 'number' && typeof each.x === 'number'))
  const retyped = await put({ schema: 'kept', streams: [{ ...input, attr: [who, { name: 'n', type: 5 }] }] })
  t.is(retyped.status, 409)
  t.regex(retyped.body.error[0], /was LONG before it was dropped/)
})

test.serial('PUT /stream/S adds streams, and refuses those that are there', async (t) => {
  const client = present()
  await client.register({ schema: 'added', streams: [input] })
  await client.event('added.s', { who: 'a', n: 1 })
  const add = (body: unknown) => client.send('PUT', '/stream/added', body)
  t.is((await add({ schema: 'added', streams: [input] })).status, 409)
  t.is((await add({ schema: 'elsewhere', streams: [other] })).status, 400)
  t.is((await add({ schema: 'added' })).status, 400)
  t.is((await client.send('PUT', '/stream/nowhere', { streams: [other] })).status, 404)
  await client.ok(add({ schema: 'added', streams: [other] }))
  await client.event('added.other', { who: 'a', n: 1 })
  t.is(await client.count('select count(*) from added.other'), 1)
  t.is(await client.count('select count(*) from added.s'), 1)
  t.deepEqual(
    (await client.ok(client.get('/stream/added/schema'))).streams.map(({ name }: { name: string }) => name),
    ['s', 'other'],
  )
  t.deepEqual(await client.ok(client.send('DELETE', '/stream/added/other')), {
    deleted_streams: [{ name: 'added__other' }],
    num_streams_del: 1,
    errcode: 0,
  })
  t.is((await client.post('/stream/added/other', { n: 1 })).status, 404)
})

test.serial('events keep their types when their attribute is declared late', async (t) => {
  const client = present()
  await client.register({ schema: 'late', streams: [input] })
  await client.lines('late.s', [
    { _pk: at(10), m: 5 },
    { _pk: at(11), m: '6' },
    { _pk: at(12), m: 1.5 },
    { _pk: at(13), m: true },
    { _pk: at(14), m: null },
    { _pk: at(15) },
  ])
  await client.ok(
    put({ schema: 'late', streams: [{ ...input, attr: [who, n, { name: 'm', type: 9, stat: 'COUNT' }] }] }),
  )
  t.is(await client.count('select count(*) from late.s where m >= 0'), 1)
  t.regex(String((await client.rows('select aggr(m) from late.s rollup 1'))[0]?.v), /"aggr_val":\{"cnt":1\}/)
  t.deepEqual(
    (await client.documents('select * from late.s')).map(({ m }) => m),
    [undefined, null, true, 1.5, '6', 5],
  )
})

test.serial('a statistic that changes is refused while it holds what expired events brought', async (t) => {
  const client = present()
  const wire = (stat: Readonly<Record<string, unknown>>) => ({
    schema: 'outlived',
    streams: [{ ...input, swsz: 60, attr: [who, { ...n, ...stat }] }],
  })
  await client.register(wire({ stat: 'RSTAT' }))
  await client.lines('outlived.s', [{ n: 5, _pk: start_us }, { n: 6 }])
  t.is(await client.count('select count(*) from outlived.s'), 1)
  const counted = async () => JSON.parse(String((await client.rows('select aggr(n) from outlived.s rollup 1'))[0]?.v))
  for (const stat of [{ stat: 'RSTAT', gran: 300 }, { stat: 'COUNT' }]) {
    const { status, text, body } = await put(wire(stat))
    t.is(status, 409, text)
    t.regex(body.error[0], /statistics of stream s that change hold events that have expired .*\?force=1/)
  }
  t.is((await counted()).aggr_val.cnt, 2)
  await client.ok(put({ ...wire({ stat: 'RSTAT' }), streams: [{ ...wire({ stat: 'RSTAT' }).streams[0], gpby: [] }] }))
  t.is((await counted()).aggr_val.cnt, 2)
  // ClickHouse frees the space of the expired event when it comes to it: from then on nothing knows of it.
  const kept = async () => Number((await rows<{ n: string }>('SELECT count() AS n FROM outlived.s'))[0]?.n)
  const most = await kept()
  await client.ok(put(wire({ stat: 'RSTAT', gran: 300 }), '?force=1'))
  const { cnt } = (await counted()).aggr_val
  const least = await kept()
  t.true(least >= 1 && least <= cnt && cnt <= most, `${cnt} counted of ${least} to ${most}`)
})

test.serial('sums of whole numbers stay whole, added with an edit or not', async (t) => {
  const client = present()
  const values = [...Array.from({ length: 20 }, (_, i) => i), 1000, 1001, 100]
  await client.register({ schema: 'sums', streams: [input] })
  await client.lines(
    'sums.s',
    values.map((value) => ({ who: 'a', n: value })),
  )
  await client.ok(put({ schema: 'sums', streams: [{ ...input, attr: [who, { ...n, stat: 'RSTAT' }] }] }))
  const [row] = await client.rows('select aggr(n) from sums.s rollup 1')
  const { sum, avg } = JSON.parse(String(row?.v)).aggr_val
  t.deepEqual([sum, avg], [2291, 2291 / 23])
})

test.serial('an attribute that is dropped and declared again has what came in between', async (t) => {
  const client = present()
  const declared = { ...input, attr: [who, { ...n, stat: 'COUNT' }, { name: 'x', type: 11 }] }
  await client.register({ schema: 'gap', streams: [declared] })
  const sent = [{ n: 1, x: 1 }, { n: 2, x: 2.5 }, { n: 'text', x: 3 }, { n: 2.5 }, { n: null }, { x: 4 }, { n: 3 }]
  await client.lines(
    'gap.s',
    sent.slice(0, 1).map((event, i) => ({ ...event, _pk: at(i + 10) })),
  )
  await client.ok(put({ schema: 'gap', streams: [{ ...input, attr: [who] }] }))
  await client.lines(
    'gap.s',
    sent.slice(1, 6).map((event, i) => ({ ...event, _pk: at(i + 11) })),
  )
  await client.ok(put({ schema: 'gap', streams: [declared] }))
  await client.lines(
    'gap.s',
    sent.slice(6).map((event, i) => ({ ...event, _pk: at(i + 16) })),
  )
  t.deepEqual(
    (await client.documents('select * from gap.s')).reverse().map(({ _pk, _v, ...event }) => event),
    sent,
  )
  t.is(await client.count('select count(*) from gap.s where n >= 0'), 3)
  t.is(await client.count('select count(*) from gap.s where x >= 0'), 4)
  t.regex(String((await client.rows('select aggr(n) from gap.s rollup 1'))[0]?.v), /"aggr_val":\{"cnt":3\}/)
  t.is((await put({ schema: 'gap', streams: [{ ...input, attr: [who, { ...n, type: 11 }] }] })).status, 409)
})

test.serial('a filter that gets another name copies nothing again', async (t) => {
  const client = present()
  const schema: WireSchema = { schema: 'renamed', streams: [derived, copy, people] }
  await client.register(schema)
  const events = Array.from({ length: 12 }, next)
  await client.lines('renamed.s', events)
  const renamed: WireSchema = {
    schema: 'renamed',
    streams: [{ ...derived, fltr: derived.fltr?.map((each) => ({ ...each, name: 'other' })) ?? [] }, copy, people],
  }
  await client.ok(put(renamed))
  t.deepEqual(await differences(client, renamed, { s: events }), [])
})

test.serial('a filter that comes back, or asks otherwise under another name, copies each event once', async (t) => {
  const client = present()
  const filterOf = (name: string, least: number) => ({
    name,
    fqry: { name: JSON.stringify({ query: [{ key: 'n', cmp_op: 1, val: least }] }), type: 1 },
    fatr: ['n'],
    ostm: 'big',
  })
  const schemaOf = (...fltr: ReturnType<typeof filterOf>[]): WireSchema => ({
    schema: 'back',
    streams: [
      { ...input, attr: [who, n], fltr },
      { name: 'big', type: 2, inpt: ['s'], swsz: 0, attr: [{ ...n, stat: 'RSTAT' }] },
    ],
  })
  const send = (from: number, count: number) =>
    client.lines(
      'back.s',
      Array.from({ length: count }, (_, i) => ({ _pk: at(5_000 + (i % 7)), n: from + i })),
    )
  const copied = async () => {
    const rows = await client.documents('select * from back.big')
    const [row] = await client.rows('select aggr(n) from back.big rollup 1')
    return [rows.map(({ n }) => n).sort((a, b) => a - b), JSON.parse(String(row?.v)).aggr_val.cnt]
  }
  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

  await client.register(schemaOf(filterOf('f', 50)))
  await send(0, 100)
  t.deepEqual(await copied(), [numbers(50, 99), 50])
  await client.ok(put(schemaOf()))
  await send(100, 40)
  t.deepEqual(await copied(), [numbers(50, 99), 50])
  await client.ok(put(schemaOf(filterOf('f', 50))))
  t.deepEqual(await copied(), [numbers(50, 139), 90])
  await client.ok(put(schemaOf(filterOf('g', 10))))
  t.deepEqual(await copied(), [numbers(10, 139), 130])
  await send(140, 20)
  t.deepEqual(await copied(), [numbers(10, 159), 150])

  // One beside it copies what it matches itself, and once.
  const twice = [...numbers(10, 159), ...numbers(120, 159)].sort((a, b) => a - b)
  const both = schemaOf(filterOf('g', 10), filterOf('h', 120))
  for (const schema of [both, schemaOf(filterOf('g', 10)), both, schemaOf(filterOf('h', 120)), both]) {
    await client.ok(put(schema))
    t.deepEqual(await copied(), [twice, 190])
  }
  t.deepEqual(
    (await client.ok(client.post('/reconcile', { schema: 'back' }))).streams.filter(
      ({ wrong }: { wrong: number }) => wrong > 0,
    ),
    [],
  )
})

test.serial('the relations of a filter’s stream that went by force and comes back are there once', async (t) => {
  const client = present()
  const attr = [{ name: 'a', type: 5 }, { name: 'b', type: 5 }, n]
  const filterInto = (ostm: string, fatr: readonly string[]) => ({
    name: ostm,
    fqry: { name: JSON.stringify({ query: [{ key: 'n', cmp_op: 1, val: 0 }] }), type: 1 },
    fatr,
    ostm,
  })
  const related = { type: 2, swsz: 0, attr, rels: [{ sub: 'a', obj: 'b', rel: 'Q' }] }
  const bare: WireSchema = { schema: 'returned', streams: [{ ...input, attr }] }
  const whole: WireSchema = {
    schema: 'returned',
    streams: [
      { ...input, attr, fltr: [filterInto('o', ['a', 'b', 'n'])] },
      { ...related, name: 'o', inpt: ['s'], fltr: [filterInto('p', ['a', 'b', 'n'])] },
      { ...related, name: 'p', inpt: ['o'] },
    ],
  }
  const triples = async () => {
    const answer = await client.ok(client.post('/graph/returned_graph/query', 's=>(a:*)-[@r Q]->(b:*); RETURN r.evpk'))
    return answer.rows.map(({ evpk }: { evpk: number }) => evpk - at(0)).sort((one: number, two: number) => one - two)
  }
  const send = (from: number, count: number) =>
    client.lines(
      'returned.s',
      Array.from({ length: count }, (_, i) => ({ _pk: at(from + i), a: `a${i}`, b: 'b', n: i })),
    )
  await client.register(whole)
  await send(100, 3)
  const twice = (...keys: number[]) => keys.flatMap((key) => [key, key])
  t.deepEqual(await triples(), twice(100, 101, 102), 'one by each of the streams')
  for (const from of [200, 300]) {
    await client.ok(put(bare, '?force=1'))
    await send(from, 1)
    await client.ok(put(whole))
  }
  t.deepEqual(await triples(), twice(100, 101, 102, 200, 300))
  const { streams } = await client.ok(client.post('/reconcile', { schema: 'returned' }))
  t.deepEqual(
    streams.filter(({ wrong }: { wrong: number }) => wrong > 0),
    [],
  )
})
