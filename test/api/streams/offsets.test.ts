import test, { type ExecutionContext } from 'ava'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { era_us } from '../../support/era.ts'
import { differenceOf, type Moments } from '../../support/oracle.ts'
import type { Random } from '../../support/random/random.ts'
import { randomFor } from '../../support/random/seed.ts'
import { allRows } from '../../support/requests/pages.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { ended } from '../schemas/rebuild-cases.ts'

let clickhouse: ClickHouse
const service = await startService({}, silentLogger(), {
  clickhouse: (part) => {
    clickhouse = part
    return part
  },
})
const { client } = service
test.after.always(() => service.close())

const minute = 60_000_000

/** Moments of `x` in all, by interval, by kind and in an entity; without them events `e` alone. */
const schemaOf = (schema: string, hasMoments: boolean) => {
  const kinds = {
    name: 'kinds',
    type: 4,
    inpt: ['e'],
    attr: [
      { name: 'kind', type: 5, pk: 1 },
      { name: 'xs', type: 11 },
    ],
  }
  const entity = {
    name: 'of',
    opid: 3,
    ratr: ['xs'],
    iatr: ['x'],
    pkatr: [{ name: 'kind', type: 5, iatr: ['kind'] }],
    rstm: 'kinds',
  }
  const attr = [
    { name: 'kind', type: 'STRING' },
    { name: 'x', type: 'DOUBLE', ...(hasMoments && { stat: 'RSTAT' }) },
  ]
  const events = { name: 'e', type: 1, swsz: 0, attr }
  if (!hasMoments) return { schema, streams: [events] }
  return {
    schema,
    streams: [{ ...events, gpby: [{ gpat: ['kind'], iatr: 'x', stat: 'RSTAT' }], enty: [entity] }, kinds],
  }
}

const offsets: Readonly<Record<string, readonly [offset: number, scatter: number]>> = {
  noise: [0, 1],
  indoors: [20, 1],
  pressure: [101_325, 10],
  counter: [1e9, 1],
}
/** Of so few that no pivot is worth it. */
const rare: readonly [offset: number, scatter: number] = [-1e8, 1]

function makeEvents(random: Random) {
  return Array.from({ length: 800 }, (_, index) => {
    const kind = index % 200 === 150 ? 'rare' : random.pick(Object.keys(offsets))
    const [offset, scatter] = offsets[kind] ?? rare
    // In the minutes after the fortieth there is one kind alone.
    const at = kind === 'counter' && random.chance(0.3) ? 40 + (index % 3) : index % 5
    return { _pk: era_us + at * minute + index, kind, x: offset + scatter * random.normal() }
  })
}

async function areExact(t: ExecutionContext, schema: string, events: ReturnType<typeof makeEvents>): Promise<void> {
  const of = (kept: (event: (typeof events)[number]) => boolean) => events.filter(kept).map(({ x }) => x)
  const told = (v: unknown) => JSON.parse(String(v))
  const areThose = (found: Moments, kept: Parameters<typeof of>[0], what: string) =>
    t.is(differenceOf(found, of(kept), { relative: 1e-6 }), undefined, what)
  const groups = await client.rows(`select aggr(x) from ${schema}.e groupby kind`)
  t.is(groups.length, 5)
  for (const { k, v } of groups) areThose(told(v), ({ kind }) => kind === k, `group ${k}`)
  const entities = await client.rows(`select * from ${schema}.kinds`)
  t.is(entities.length, 5)
  for (const { k, v } of entities) areThose(told(v).xs, ({ kind }) => kind === k, `entity ${k}`)
  const intervals = await allRows(
    client,
    `select aggr(x) from ${schema}.e where st >= 0 and et <= ${era_us + 50 * minute}`,
  )
  t.is(intervals.filter(({ v }) => told(v).cnt > 0).length, 8)
  for (const { k, v } of intervals) areThose(told(v), ({ _pk }) => _pk - (_pk % minute) === Number(k), `interval ${k}`)
}

async function send(schema: string, events: ReturnType<typeof makeEvents>): Promise<void> {
  for (const event of events.slice(0, 10)) await client.event(`${schema}.e`, event)
  await client.lines(`${schema}.e`, events.slice(10))
}

test('an interval is one row, and a group, whatever the values of its attributes are', async (t) => {
  const random = randomFor(t)
  const names = Array.from({ length: 20 }, (_, index) => `x${index}`)
  const attr = names.map((name, index) => ({ name, type: index % 2 ? 'LONG' : 'DOUBLE', stat: 'RSTAT' }))
  const gpby = [{ gpat: ['kind'], iatr: 'x1', stat: 'RSTAT' }]
  const streams = [{ name: 'e', type: 1, swsz: 0, attr: [...attr, { name: 'kind', type: 'STRING' }], gpby }]
  await client.register({ schema: 'clusters', streams })
  const value = () => random.pick([0, random.whole(900, 1_100), random.whole(0, 1e12)])
  const events = Array.from({ length: 10_000 }, (_, index) => ({
    _pk: era_us + 50 * minute + index,
    kind: random.pick(['a', 'b', 'c']),
    ...Object.fromEntries(names.filter(() => random.chance(0.5)).map((name) => [name, value()])),
  }))
  for (let start = 0; start < events.length; start += 1_000) {
    await client.lines('clusters.e', events.slice(start, start + 1_000))
  }
  for (const name of names) {
    const [{ v } = { v: '' }] = await client.rows(`select aggr(${name}) from clusters.e rollup 1`)
    const values = events.map((event: Readonly<Record<string, unknown>>) => event[name]).filter((x) => x !== undefined)
    t.is(differenceOf(JSON.parse(String(v)).aggr_val, values as number[], { relative: 1e-9 }), undefined, name)
  }
  await clickhouse.run('OPTIMIZE TABLE clusters.e__60 FINAL')
  const sizes = (table: string) =>
    clickhouse.rows<{ rows: number; pivots: number }>({
      text: `SELECT count() AS rows, max(length(_far_x1.1)) AS pivots FROM clusters.${table} FINAL`,
      params: {},
    })
  const [[interval] = [], [groups] = []] = await Promise.all(['e__60', 'e__60__kind'].map(sizes))
  t.is(Number(interval?.rows), 1)
  t.is(Number(groups?.rows), 3)
  t.true(Number(interval?.pivots) < 64 + 8 * 14, `${interval?.pivots} pivots`)
})

test('groups, intervals and entities whose offsets lie far apart keep their moments', async (t) => {
  const events = makeEvents(randomFor(t))
  await client.register(schemaOf('apart', true))
  await send('apart', events)
  await areExact(t, 'apart', events)
})

test('moments whose offsets lie far apart are exact after a rebuild, and after what reconcile repaired', async (t) => {
  const events = makeEvents(randomFor(t))
  await client.register(schemaOf('again', true))
  await send('again', events)
  await client.ok(client.send('POST', '/stream/again/e/rebuild'))
  t.is((await ended(client, 'again', 'e'))?.state, 'done')
  await areExact(t, 'again', events)
  for (const table of ['e__60', 'e__60__kind', 'kinds__keys']) await clickhouse.run(`TRUNCATE TABLE again.${table}`)
  await client.ok(client.send('POST', '/reconcile'))
  await areExact(t, 'again', events)
})

test('moments that an edit makes of the events that are there are exact where offsets lie far apart', async (t) => {
  const events = makeEvents(randomFor(t))
  await client.register(schemaOf('later', false))
  await send('later', events)
  await client.ok(client.send('PUT', '/stream', schemaOf('later', true)))
  await until(
    'the edit has filled them',
    async () => (await client.rows('select aggr(x) from later.e groupby kind')).length === 5,
    60_000,
  )
  await areExact(t, 'later', events)
})
