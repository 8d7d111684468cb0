/**
 * The answers that the service has to give, worked out event by event from the wire form of a schema. Shares no code with the
 * product, and knows only what docs/interface.md and docs/streams.md say.
 */
export type Value = string | number | boolean | null | undefined
export type Event = { readonly _pk: number; readonly [attribute: string]: Value }

/** Events of three people, seven seconds apart. */
export const events = (from: number, count: number): Event[] =>
  Array.from({ length: count }, (_, i) => ({
    _pk: 1_700_000_000_000_000 + (from + i) * 7_000_000,
    who: 'abc'[i % 3],
    n: i,
    x: -i,
  }))

/** A code, or a list of codes. */
export type Stat = string | number | readonly (string | number)[]

type Comparison = { readonly key: string; readonly cmp_op: number; readonly val: Value }
type Join = { readonly joinop: number }
type FilterQuery = { readonly query: readonly (Comparison | Join)[]; readonly qtype?: number }

export type WireStream = {
  readonly name: string
  readonly type: number
  readonly inpt?: readonly string[]
  readonly swsz?: number
  readonly attr: readonly {
    readonly name: string
    readonly type: number
    readonly pk?: number
    readonly stat?: Stat
    readonly q?: readonly number[]
    readonly k?: number
    readonly gran?: number
  }[]
  readonly gpby?: readonly {
    gpat: readonly string[]
    iatr: string
    stat: Stat
    q?: readonly number[]
    k?: number
    gran?: number
    swsz?: number
  }[]
  readonly enty?: readonly {
    name: string
    opid: Stat
    q?: readonly number[]
    k?: number
    ratr: readonly string[]
    iatr: readonly string[]
    pkatr: readonly { name: string; type: number; iatr: readonly string[] }[]
    rstm: string
    /** Seconds, whole hours of them. */
    window?: readonly number[]
  }[]
  readonly rels?: readonly { sub: string; obj: string; rel: string; rel_props?: readonly string[] }[]
  readonly fltr?: readonly {
    name: string
    fqry: { name: string; type: number }
    fatr: readonly string[]
    ostm: string
  }[]
}
export type WireSchema = { readonly schema: string; readonly streams: readonly WireStream[] }

export type Moments = {
  cnt: number
  sum: number
  min: number
  max: number
  avg: number
  stdd: number
  skew: number
  kurt: number
}

const isThere = (value: Value): boolean => value !== undefined && value !== null

/** Byte order, as that of UTF-8 is the order of code points. */
export const inOrder = (a: Value, b: Value): number => {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return Number(a) - Number(b)
}

const compare: readonly ((order: number) => boolean)[] = [
  (order) => order > 0,
  (order) => order >= 0,
  (order) => order < 0,
  (order) => order <= 0,
  (order) => order === 0,
  (order) => order !== 0,
]

export function matches({ query, qtype }: FilterQuery, event: Event): boolean {
  const test = (part: Comparison | Join | undefined): boolean => {
    if (part === undefined || !('key' in part)) throw new Error('a comparison')
    const left = event[part.key]
    const isOther = qtype === 2 && typeof part.val === 'string' && part.val.startsWith('$')
    const right = isOther ? event[String(part.val).slice(1)] : part.val
    return isThere(left) && isThere(right) && (compare[part.cmp_op]?.(inOrder(left, right)) ?? false)
  }
  let whole = false
  let term = test(query[0])
  for (let index = 1; index < query.length; index += 2) {
    const join = query[index]
    const next = test(query[index + 1])
    if (join && 'joinop' in join && join.joinop === 1) {
      whole ||= term
      term = next
    } else term &&= next
  }
  return whole || term
}

const pick = (event: Event, names: readonly string[]): Event => ({
  _pk: event._pk,
  ...Object.fromEntries(names.filter((name) => name in event).map((name) => [name, event[name]])),
})

/** Every stream's events, given the posted ones. */
export function spread(schema: WireSchema, posted: Readonly<Record<string, readonly Event[]>>): Map<string, Event[]> {
  const all = new Map<string, Event[]>(schema.streams.map(({ name }) => [name, []]))
  const put = (stream: WireStream, event: Event): void => {
    all.get(stream.name)?.push(event)
    for (const { fqry, fatr, ostm } of stream.fltr ?? []) {
      const target = schema.streams.find(({ name }) => name === ostm)
      if (target && matches(JSON.parse(fqry.name), event)) put(target, pick(event, fatr))
    }
  }
  for (const stream of schema.streams) for (const event of posted[stream.name] ?? []) put(stream, event)
  return all
}

/** One pass over exact differences to the mean: sums of doubles, twice compensated by the mean itself. */
export function moments(values: readonly number[]): Moments {
  const n = values.length
  if (n === 0) return { cnt: 0, sum: 0, min: 0, max: 0, avg: 0, stdd: 0, skew: 0, kurt: 0 }
  const mean = values.reduce((sum, x) => sum + x / n, 0)
  const avg = mean + values.reduce((sum, x) => sum + (x - mean), 0) / n
  const central = (power: number): number => values.reduce((sum, x) => sum + (x - avg) ** power, 0)
  const [m2, m3, m4] = [central(2), central(3), central(4)]
  const [min, max] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))]
  const flat = min === max
  return {
    cnt: n,
    sum: avg * n,
    min,
    max,
    avg,
    stdd: n < 2 || flat ? 0 : Math.sqrt(m2 / (n - 1)),
    skew: n < 3 || flat ? 0 : ((Math.sqrt(n * (n - 1)) / (n - 2)) * (m3 / n)) / (m2 / n) ** 1.5,
    kurt: n < 4 || flat ? 0 : ((n - 1) / ((n - 2) * (n - 3))) * ((n + 1) * ((n * m4) / (m2 * m2) - 3) + 6),
  }
}

/** The members of several statistics. */
export type Listed = { readonly cnt: number; readonly [member: string]: unknown }

export type Aggregate = number | Moments | Listed

/** A value, and when its event was, in the order of arrival. */
type Timed = readonly [pk: number, value: Value]

export const codes = ['NONE', 'COUNT', 'UCOUNT', 'RSTAT', 'QUANTILES', 'LAST', 'FIRST', 'TOPK']

export function aggregate(stat: Stat, timed: readonly Timed[], levels?: readonly number[], k = 10): Aggregate {
  const there = timed.filter(([, value]) => isThere(value))
  const values = there.map(([, value]) => value)
  const names = [stat].flat().map((each) => codes[Number(each)] ?? String(each))
  const [only, ...others] = names
  if (others.length === 0 && only === 'COUNT') return values.length
  if (others.length === 0 && only === 'UCOUNT') return new Set(values).size
  if (others.length === 0 && only === 'RSTAT') return moments(values.map(Number))
  return {
    cnt: values.length,
    ...(names.includes('UCOUNT') && { unique: new Set(values).size }),
    ...(names.includes('RSTAT') && moments(values.map(Number))),
    ...(names.includes('QUANTILES') && quantiles(values.map(Number), levels)),
    ...(names.includes('LAST') && { last: lastOf(there) }),
    ...(names.includes('FIRST') && { first: lastOf(there.map(([pk, value]): Timed => [-pk, value]).toReversed()) }),
    ...(names.includes('TOPK') && { top: topOf(values).slice(0, k), top_error: 0 }),
  }
}

/** The most frequent value first, of equally frequent ones the least. */
function topOf(values: readonly Value[]) {
  const counts = new Map<Value, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].toSorted(([a, n], [b, m]) => m - n || inOrder(a, b)).map(([value, cnt]) => ({ value, cnt }))
}

/** The least value that so many of all do not exceed. */
function quantiles(values: readonly number[], levels: readonly number[] = [0.5, 0.9, 0.95, 0.99]) {
  const sorted = values.toSorted((a, b) => a - b)
  return Object.fromEntries(
    levels.map((level) => [
      `p${String(Math.round(level * 1e6) / 1e4).replace('.', '_')}`,
      sorted[Math.max(0, Math.ceil(sorted.length * level) - 1)] ?? null,
    ]),
  )
}

/** Among equal times the last to come. */
const lastOf = (timed: readonly Timed[]): Value =>
  timed.reduce<Timed | undefined>(
    (last, each) => (last === undefined || each[0] >= last[0] ? each : last),
    undefined,
  )?.[1] ?? null

/** `v` with `\` and `:` escaped. */
export const escaped = (value: Value): string => String(value).replace(/[\\:]/g, '\\$&')

export type Group = {
  readonly key: readonly Value[]
  readonly k: string
  readonly ts?: number
  readonly value: Aggregate
}

/** Rows of a group-by; `length` in microseconds cuts them by time. Only events that hold the input count. */
export function groups(
  events: readonly Event[],
  {
    gpat,
    iatr,
    stat,
    q,
    k,
  }: {
    gpat: readonly string[]
    iatr: string
    stat: Stat
    q?: readonly number[] | undefined
    k?: number | undefined
  },
  length?: number,
): Group[] {
  const found = new Map<string, { key: Value[]; ts?: number; values: Timed[] }>()
  for (const event of events) {
    const key = gpat.map((name) => event[name])
    if (!key.every(isThere) || !isThere(event[iatr])) continue
    const ts = length === undefined ? undefined : event._pk - (event._pk % length)
    const place = JSON.stringify([ts, key])
    const group = found.get(place) ?? { key, ...(ts !== undefined && { ts }), values: [] }
    group.values.push([event._pk, event[iatr]])
    found.set(place, group)
  }
  return [...found.values()]
    .map(({ key, ts, values }) => ({
      key,
      k: key.map(escaped).join(':'),
      ...(ts !== undefined && { ts }),
      value: aggregate(stat, values, q, k),
    }))
    .toSorted((a, b) => (b.ts ?? 0) - (a.ts ?? 0) || inKeyOrder(a.key, b.key))
}

export const inKeyOrder = (a: readonly Value[], b: readonly Value[]): number =>
  a.map((value, index) => inOrder(value, b[index])).find((order) => order !== 0) ?? 0

type Result = {
  readonly opid: Stat
  readonly q: readonly number[] | undefined
  readonly k: number | undefined
  readonly window: readonly number[]
  readonly values: Timed[]
}

export const windowNameOf = (seconds: number): string =>
  seconds % 86_400 === 0 ? `${seconds / 86_400}d` : `${seconds / 3_600}h`

/** Windows are counted in hops of a sixtieth, or of a minute where that is longer: of the oldest one all events count. */
const inWindow = (pk: number, at: number, seconds: number): boolean => {
  const hop_us = Math.max(seconds / 60, 60) * 1e6
  const hopOf = (time: number) => Math.floor(time / hop_us)
  return hopOf(pk) >= hopOf(at - seconds * 1e6 + 1) && hopOf(pk) <= hopOf(at)
}

/** Rows of an entity stream: by its key, each result's aggregate, and that of each of its windows (`spent.1h`) at a time. */
export function entities(schema: WireSchema, events: ReadonlyMap<string, readonly Event[]>, target: string, at = 0) {
  const rows = new Map<string, { key: Value[]; values: Map<string, Result> }>()
  const definitions = schema.streams.flatMap((stream) =>
    (stream.enty ?? []).filter(({ rstm }) => rstm === target).map((entity) => ({ stream, entity })),
  )
  const fresh = () =>
    new Map(
      definitions.flatMap(({ entity: { opid, q, k, ratr, window = [] } }) =>
        ratr.map((name): [string, Result] => [name, { opid, q, k, window, values: [] }]),
      ),
    )
  for (const { stream, entity } of definitions) {
    for (const event of events.get(stream.name) ?? []) {
      const parts = entity.pkatr.map(({ iatr }) => iatr.map((name) => event[name]))
      if (!parts.flat().every(isThere)) continue
      const key = parts.map((values) => (values.length === 1 ? values[0] : values.map(escaped).join(':')))
      const place = JSON.stringify(key)
      const row = rows.get(place) ?? { key, values: fresh() }
      rows.set(place, row)
      for (const [index, name] of entity.ratr.entries())
        row.values.get(name)?.values.push([event._pk, event[entity.iatr[index] ?? '']])
    }
  }
  return [...rows.values()]
    .toSorted((a, b) => inKeyOrder(a.key, b.key))
    .map(({ key, values }) => ({
      k: key.length === 1 ? key[0] : key.map(escaped).join(':'),
      v: Object.fromEntries(
        [...values].flatMap(([name, { opid, q, k, window, values: all }]) => [
          [name, aggregate(opid, all, q, k)],
          ...window.map((seconds) => {
            const within = all.filter(([pk]) => inWindow(pk, at, seconds))
            return [`${name}.${windowNameOf(seconds)}`, aggregate(opid, within, q, k)] as const
          }),
        ]),
      ),
    }))
}

/** `sub label:name`, relation, `obj label:name`, sorted. */
export const triples = (schema: WireSchema, events: ReadonlyMap<string, readonly Event[]>): string[] =>
  schema.streams
    .flatMap(({ name, rels }) =>
      (rels ?? []).flatMap(({ sub, rel, obj }) =>
        (events.get(name) ?? [])
          .filter((event) => isThere(event[sub]) && isThere(event[obj]))
          .map((event) => JSON.stringify([`${sub}:${event[sub]}`, rel, `${obj}:${event[obj]}`])),
      ),
    )
    .toSorted()
