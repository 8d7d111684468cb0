import test from 'ava'
import { createLogger } from '../../../infra/logger.ts'
import { type Place, randomCondition } from '../../support/conditions.ts'
import type { Random } from '../../support/random/random.ts'
import { randomFor, runs } from '../../support/random/seed.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { differences } from './compare.ts'
import { type Event, entities, groups, type Listed, matches, type WireSchema, type WireStream } from './oracle.ts'

const { client, close } = await startService({}, createLogger('warn')) // seen where a test fails: ClickHouse's error
test.after.always(close)

const attr = [
  { name: 'who', type: 5, stat: ['LAST', 'TOPK'], k: 2 },
  { name: 'n', type: 9, stat: ['RSTAT', 'FIRST', 'TOPK'] },
  { name: 'x', type: 11, stat: ['QUANTILES', 'LAST'] },
]
const filter = (name: string, key: string, cmp_op: number, val: number, ostm: string, fatr: readonly string[]) => ({
  name,
  fqry: { name: JSON.stringify({ query: [{ key, cmp_op, val }], qtype: 1 }), type: 1 },
  fatr,
  ostm,
})
const all = ['who', 'n', 'x']
const enty = [
  {
    name: 'e',
    opid: ['COUNT', 'QUANTILES', 'LAST', 'FIRST', 'TOPK'],
    ratr: ['seen'],
    iatr: ['n'],
    pkatr: [{ name: 'id', type: 5, iatr: ['who'] }],
    rstm: 'people',
  },
]
const gpby = [
  { gpat: ['who'], iatr: 'n', stat: 'COUNT' },
  { gpat: ['who'], iatr: 'x', stat: ['LAST', 'TOPK', 'QUANTILES'], q: [0.5] },
]
const schemaOf = (schema: string): WireSchema => ({
  schema,
  streams: [
    {
      name: 's',
      type: 1,
      swsz: 0,
      attr,
      gpby,
      enty,
      rels: [{ sub: 'who', obj: 'n', rel: 'HAS' }],
      fltr: [
        filter('f', 'n', 0, 1, 'f1', all),
        filter('g', 'n', 1, 2, 'both', ['who', 'n']),
        filter('h', 'x', 0, 0, 'both', ['x', 'n']),
      ],
    },
    { name: 'other', type: 1, swsz: 0, attr, fltr: [filter('f', 'n', 1, 0, 'both', all)] },
    {
      name: 'f1',
      type: 2,
      inpt: ['s'],
      swsz: 0,
      attr,
      gpby,
      fltr: [filter('f', 'n', 2, 3, 'f2', ['n', 'who']), filter('g', 'x', 3, 1, 'both', all)],
    },
    { name: 'f2', type: 2, inpt: ['f1'], swsz: 0, attr, rels: [{ sub: 'who', obj: 'n', rel: 'SEES' }] },
    { name: 'both', type: 2, inpt: ['s', 'other', 'f1'], swsz: 0, attr, gpby },
    { name: 'people', type: 4, inpt: ['s'], attr: [] },
  ],
})
const streams = ['s', 'other', 'f1', 'f2', 'both'] as const

const start_us = 1_700_000_000_000_000
/** Some share their `_pk`, some are alike but for it. */
function randomEvent(random: Random): Event {
  const event = {
    _pk: start_us + random.whole(0, 40) * 1_000_000,
    who: random.chance(0.9) ? random.pick(['a', 'b', 'c', "d'e"]) : undefined,
    n: random.chance(0.9) ? random.whole(-1, 5) : undefined,
    x: random.chance(0.8) ? random.pick([-0.5, 0, 1, 1.5]) : undefined,
    tag: random.chance(0.3) ? random.pick(['a', 'b']) : undefined,
  }
  return Object.fromEntries(Object.entries(event).filter(([, value]) => value !== undefined)) as Event
}

/** A stored row: the number of the event that was posted tells its copies from those of an event like it. */
type Stored = { readonly event: number; readonly row: Event }

const pick = (row: Event, names: readonly string[]): Event =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name === '_pk' || names.includes(name))) as Event

function store(schema: WireSchema, into: Map<string, Stored[]>, stream: WireStream, stored: Stored): void {
  into.set(stream.name, [...(into.get(stream.name) ?? []), stored])
  for (const { fqry, fatr, ostm } of stream.fltr ?? []) {
    const target = schema.streams.find(({ name }) => name === ostm)
    if (target && matches(JSON.parse(fqry.name), stored.row)) {
      store(schema, into, target, { event: stored.event, row: pick(stored.row, fatr) })
    }
  }
}

const below = (schema: WireSchema, name: string): Set<string> => {
  const targets = (schema.streams.find((each) => each.name === name)?.fltr ?? []).map(({ ostm }) => ostm)
  return new Set(targets.flatMap((target) => [target, ...below(schema, target)]))
}

const places: readonly Place[] = [
  { path: 'who', type: 'string' },
  { path: 'n', type: 'number' },
  { path: 'x', type: 'number', isDouble: true },
  { path: '_pk', type: 'number' },
  { path: 'tag' },
]
const literals = ['a', 'b', 'c', "d'e", 0, 1, 2, 3, start_us + 10_000_000, start_us + 30_000_000]

const inOrder = (rows: readonly Event[]): string[] =>
  rows.map((row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))).toSorted()
const shown = async (stream: string): Promise<string[]> =>
  inOrder((await client.documents(`select * from ${stream}`)).map(({ _v, ...row }) => row))

let number = 0

/** A schema with random events in it. */
async function filled(random: Random) {
  const schema = schemaOf(`e${number++}`)
  await client.register(schema)
  const posted = { s: [] as Event[], other: [] as Event[] }
  const stored = new Map<string, Stored[]>()
  let count = 0
  async function post(): Promise<void> {
    for (const name of ['s', 'other'] as const) {
      // No time is one of both streams: the oracle knows no order of arrival between them, by which the last value goes.
      const shift = name === 'other' ? 1 : 0
      const events = Array.from({ length: random.whole(1, 30) }, () => {
        const event = randomEvent(random)
        return { ...event, _pk: Number(event._pk) + shift }
      })
      await client.lines(`${schema.schema}.${name}`, events)
      posted[name].push(...events)
      const stream = schema.streams.find((each) => each.name === name)
      for (const row of events) if (stream) store(schema, stored, stream, { event: count++, row })
    }
  }
  await post()
  return { schema, name: schema.schema, posted, stored, post }
}

test('random erasures take the rows that match and the copies of their events, and nothing else', async (t) => {
  t.timeout(1_500_000)
  const random = randomFor(t)
  for (let run = 0; run < runs(3, 60); run++) {
    const { schema, name, posted, stored, post } = await filled(random)
    for (let round = 0; round < 6; round++) {
      const from = random.pick(streams)
      const { text, matches: isMeant } = randomCondition(random, places, literals, 2)
      const rows = stored.get(from) ?? []
      const hit = rows.filter(({ row }) => isMeant(row as Parameters<typeof isMeant>[0]))
      const events = new Set(hit.map(({ event }) => event))
      const { retval } = await client.ok(
        client.post('/db/mydb/query', { sql: `delete from ${name}.${from} where ${text}` }),
      )
      t.is(retval, hit.length, text)
      stored.set(
        from,
        rows.filter((each) => !hit.includes(each)),
      )
      for (const copy of below(schema, from)) {
        stored.set(
          copy,
          (stored.get(copy) ?? []).filter(({ event }) => !events.has(event)),
        )
      }
      for (const each of streams) {
        t.deepEqual(
          await shown(`${name}.${each}`),
          inOrder((stored.get(each) ?? []).map(({ row }) => row)),
          `${each} after delete from ${from} where ${text}`,
        )
      }
      if (random.chance(0.4)) await post()
    }
    const { streams: tables } = await client.ok(client.post('/reconcile', { schema: name }))
    t.deepEqual(
      tables.filter(({ wrong }: { wrong: number }) => wrong > 0),
      [],
    )
    const counted = await client.rows(`select aggr(n) from ${name}.s groupby who`)
    t.deepEqual(
      counted.map(({ k, v }) => [k, v]),
      groups(posted.s, gpby[0] ?? { gpat: [], iatr: '', stat: '' }).map(({ k, value }) => [k, value]),
    )
    const people = (await client.rows(`select * from ${name}.people`)).map(({ k, v }) => [
      k,
      JSON.parse(String(v)).seen.cnt,
    ])
    const wanted = entities(schema, new Map([['s', posted.s]]), 'people').map(({ k, v }) => [k, (v.seen as Listed).cnt])
    t.deepEqual(people, wanted)
    for (const each of streams) {
      t.deepEqual(
        await shown(`${name}.${each}`),
        inOrder((stored.get(each) ?? []).map(({ row }) => row)),
        `${each} after reconcile`,
      )
    }
    await client.ok(client.send('DELETE', `/stream/${name}`))
  }
})

test('after random erasures with rebuild=1 all is as if the events had never come', async (t) => {
  t.timeout(1_500_000)
  const random = randomFor(t)
  for (let run = 0; run < runs(2, 30); run++) {
    const { schema, name, posted, post } = await filled(random)
    for (let round = 0; round < 2; round++) {
      for (const from of ['s', 'other'] as const) {
        const { text, matches: isMeant } = randomCondition(random, places, literals, 2)
        const query = `/db/mydb/query${random.chance(0.5) && round === 0 ? '' : '?rebuild=1'}`
        await client.ok(client.post(query, { sql: `delete from ${name}.${from} where ${text}` }))
        posted[from] = posted[from].filter((row) => !isMeant(row as Parameters<typeof isMeant>[0]))
      }
      if (round === 0) await post()
    }
    await until('the end of all rebuilds', async () => {
      const { streams: told } = await client.ok(client.get(`/stream/${name}/info`))
      return told.every(({ rebuild }: { rebuild?: { state: string } }) => rebuild?.state !== 'running')
        ? true
        : undefined
    })
    t.deepEqual(await differences(client, schema, posted), [])
    await client.ok(client.send('DELETE', `/stream/${name}`))
  }
})
