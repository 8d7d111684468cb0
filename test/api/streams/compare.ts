import { type Client, read } from '../../support/requests/client.ts'
import {
  type Aggregate,
  aggregate,
  type Event,
  entities,
  groups,
  type Listed,
  type Moments,
  spread,
  triples,
  type WireSchema,
  windowNameOf,
} from './oracle.ts'

const near = (a: number, b: number, tolerance: number): boolean =>
  Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b))

/** How far the values of an attribute lie from each other, or of all: the pivot of the sums is one of them. */
function reachOf(events: readonly Event[], names: readonly string[]): number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const event of events) {
    for (const name of names) {
      const value = event[name]
      if (typeof value !== 'number') continue
      least = Math.min(least, value)
      most = Math.max(most, value)
    }
  }
  return Math.max(0, most - least)
}

/**
 * Whether moments agree as far as doubles allow, for the k-th: relative 1e-9, and 1e-13 x (reach / deviation)^k for values
 * far from the pivot.
 */
function sameMoments(read: Readonly<Record<string, number | bigint>>, wanted: Moments, reach: number): boolean {
  const got = Object.fromEntries(Object.entries(read).map(([name, value]) => [name, Number(value)])) as Moments
  const spreadOf = wanted.stdd > 0 ? reach / wanted.stdd : 0
  const scale = Math.max(Math.abs(wanted.min), Math.abs(wanted.max))
  const loss = wanted.stdd > 0 && scale / wanted.stdd > 1e4 ? 1e-6 : 1e-9
  return (
    Object.keys(got).join() === 'cnt,sum,min,max,avg,stdd,skew,kurt' &&
    got.cnt === wanted.cnt &&
    got.min === wanted.min &&
    got.max === wanted.max &&
    near(got.avg, wanted.avg, 1e-9 + 1e-15 * scale) &&
    near(got.sum, wanted.sum, 1e-9 + 1e-15 * scale) &&
    near(got.stdd, wanted.stdd, loss) &&
    near(got.skew, wanted.skew, loss + 1e-13 * spreadOf ** 3) &&
    near(got.kurt, wanted.kurt, loss + 1e-13 * spreadOf ** 4)
  )
}

const momentNames = ['cnt', 'sum', 'min', 'max', 'avg', 'stdd', 'skew', 'kurt']

/** Below it doubles lose digits, and so do the bins of quantiles. */
const leastNormal = 2 ** -1022

/** Quantiles within 1 %, moments as `sameMoments`, the rest the same. */
function sameListed(got: Listed, wanted: Listed, reach: number): boolean {
  const moments = (value: Listed): Moments =>
    Object.fromEntries(momentNames.flatMap((name) => (name in value ? [[name, value[name]]] : []))) as Moments
  if ('sum' in wanted && !sameMoments(moments(got), moments(wanted), reach)) return false
  return (
    Object.keys(got).join() === Object.keys(wanted).join() &&
    Object.entries(wanted).every(([name, value]) => {
      if ('sum' in wanted && momentNames.includes(name)) return true
      const [a, b] = [got[name], value]
      if (/^p\d/.test(name) && typeof a === 'number' && typeof b === 'number')
        return Math.abs(a - b) <= 0.01 * Math.abs(b) + leastNormal
      return JSON.stringify(a) === JSON.stringify(b)
    })
  )
}

const isOfMoments = (value: Moments | Listed): value is Moments => Object.keys(value).join() === momentNames.join()

/** An answer's `v`, or a member of an entity's, against the oracle. */
function same(got: unknown, wanted: Aggregate, reach: number): boolean {
  if (typeof wanted !== 'number') {
    if (typeof got !== 'object' || got === null) return false
    return isOfMoments(wanted)
      ? sameMoments(got as Record<string, number>, wanted, reach)
      : sameListed(got as Listed, wanted, reach)
  }
  return got === wanted || (typeof got === 'object' && got !== null && 'cnt' in got && got.cnt === wanted)
}

const parsed = (v: unknown): unknown => (typeof v === 'string' ? read(v) : v)

/** `{spent: {cnt, 1h: ...}}` as `{spent: {cnt}, 'spent.1h': ...}`. */
const withWindowsApart = (row: Readonly<Record<string, unknown>>, windows: readonly string[]) =>
  Object.fromEntries(
    Object.entries(row).flatMap(([result, value]) => {
      const members = Object.entries(Object(value))
      const apart = members.filter(([name]) => windows.includes(name))
      if (apart.length === 0) return [[result, value]]
      const rest = Object.fromEntries(members.filter(([name]) => !windows.includes(name)))
      return [[result, rest], ...apart.map(([name, own]) => [`${result}.${name}`, own])]
    }),
  )

/** Where what a service answers about a schema differs from the oracle: a line each. */
export async function differences(
  client: Client,
  schema: WireSchema,
  posted: Readonly<Record<string, readonly Event[]>>,
): Promise<string[]> {
  const all = spread(schema, posted)
  const name = schema.schema
  const found: string[] = []
  const expect = (what: string, got: unknown, wanted: unknown, is: boolean): void => {
    if (is) return
    const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 500) ?? ''
    found.push(`${name}: ${what}: got ${shown(got)}, wanted ${shown(wanted)}`)
  }

  const everything = [...all.values()].flat()
  const widest = reachOf(everything, [...new Set(schema.streams.flatMap(({ attr }) => attr.map((each) => each.name)))])
  for (const stream of schema.streams) {
    const events = all.get(stream.name) ?? []
    const from = `${name}.${stream.name}`
    const newest = events.reduce((most, { _pk }) => Math.max(most, _pk), 0)
    if (stream.type === 4) {
      const windows = schema.streams.flatMap(({ enty = [] }) =>
        enty.flatMap(({ rstm, window = [] }) => (rstm === stream.name ? window.map(windowNameOf) : [])),
      )
      const at = everything.reduce((most, { _pk }) => Math.max(most, _pk), 0)
      const answer = await client.rows(`select * from ${from}`, windows.length > 0 ? { at } : {})
      const rows = answer.map(({ k, v }) => ({ k, v: withWindowsApart(read(String(v)), windows) }))
      const wanted = entities(schema, all, stream.name, at)
      const is =
        rows.length === wanted.length &&
        wanted.every(({ k, v }, index) => {
          const row = rows[index]
          return row?.k === k && Object.entries(v).every(([result, value]) => same(row?.v[result], value, widest))
        })
      expect(`entities of ${stream.name}`, rows, wanted, is)
      const count = await client.count(`select count(*) from ${from}`)
      expect(`count of ${stream.name}`, count, wanted.length, count === wanted.length)
      continue
    }
    const count = await client.count(`select count(*) from ${from}`)
    expect(`count of ${stream.name}`, count, events.length, count === events.length)
    const documents = (await client.documents(`select * from ${from}`)).map(shape)
    const shapes = events.map(shape)
    expect(`events of ${stream.name}`, documents, shapes, documents.toSorted().join() === shapes.toSorted().join())

    for (const { name: attribute, stat, q, k, gran = 60 } of stream.attr) {
      if (!stat || stat === 'NONE') continue
      const reach = reachOf(everything, [attribute])
      const values = (list: readonly Event[]) => groups(list, { gpat: [], iatr: attribute, stat, q, k })
      const [row] = await client.rows(`select aggr(${attribute}) from ${from} rollup 1`)
      const whole = read(String(row?.v))?.aggr_val ?? row
      const wanted = values(events)[0]?.value ?? aggregate(stat, [], q, k)
      expect(`aggr(${attribute}) of ${stream.name}`, whole, wanted, same(whole, wanted, reach))
      for (const rollup of [undefined, 3]) {
        const length = gran * 1_000_000 * (rollup ?? 1)
        const cut = groups(events, { gpat: [], iatr: attribute, stat, q, k }, length)
        const oldest = cut.at(-1)?.ts
        const span = oldest === undefined ? '' : ` where st >= ${oldest} and et <= ${newest}`
        const rows = await client.rows(`select aggr(${attribute}) from ${from}${span} rollup ${rollup ?? 0}`)
        const held = rows.filter(({ v }) => !isEmpty(parsed(v)))
        const is =
          held.length === cut.length &&
          cut.every(({ ts, value }, i) => held[i]?.k === ts && same(parsed(held[i]?.v), value, reach))
        expect(`aggr(${attribute}) of ${stream.name} by interval, rollup ${rollup}`, held, cut, is)
      }
    }
    for (const definition of stream.gpby ?? []) {
      const { gpat, iatr, gran = 60 } = definition
      const reach = reachOf(everything, [iatr])
      const by = `select aggr(${iatr}) from ${from} groupby ${gpat.join(':')}`
      const lengths = [undefined, gran * 1e6, gran * 2e6]
      for (const [index, length] of lengths.entries()) {
        const rows = await client.rows(`${by}${index === 0 ? '' : ` rollup ${index === 1 ? 0 : 2}`}`)
        const wanted = groups(events, definition, length)
        const is =
          rows.length === wanted.length &&
          wanted.every(({ k, ts, value }, i) => {
            const row = rows[i]
            return row?.k === k && row.ts === ts && same(parsed(row.v), value, reach)
          })
        expect(`${by} (${index})`, rows, wanted, is)
      }
      const rows = await client.rows(`${by} rollup 1`)
      const wanted = groups(events, definition)
      const is = wanted.every(
        ({ k, value }, i) => rows[i]?.k === k && same(read(String(rows[i]?.v))?.aggr_val, value, reach),
      )
      expect(`${by} rollup 1`, rows, wanted, is && rows.length === wanted.length)
    }
  }
  const related = schema.streams.find(({ rels }) => rels && rels.length > 0)
  if (related) {
    const pairs = new Map(
      schema.streams.flatMap(({ rels }) => (rels ?? []).map((r) => [`${r.sub} ${r.rel} ${r.obj}`, r])),
    )
    const got: string[] = []
    for (const { sub, rel, obj } of pairs.values()) {
      const text = `s=>(${sub}:*)-[${rel}]->(${obj}:*)`
      const { triple } = await client.ok(client.graph(`${name}.${related.name}`, text))
      got.push(
        ...triple.map((each: { sub: string; pred: string; obj: string }) =>
          JSON.stringify([each.sub, each.pred, each.obj]),
        ),
      )
    }
    const wanted = triples(schema, all)
    expect('triples', got.toSorted(), wanted, got.toSorted().join() === wanted.join())
  }
  return found
}

const isEmpty = (v: unknown): boolean => v === 0 || (typeof v === 'object' && v !== null && 'cnt' in v && v.cnt === 0)

/** A document without the member that the service adds and without missing values, as text. */
function shape({ _v, ...event }: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(event).filter(([, value]) => value !== undefined && value !== null)
  return JSON.stringify(members.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
