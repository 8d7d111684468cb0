/** The questions that a chart asks, and what their answers show. */

export type Statistic = 'COUNT' | 'UCOUNT' | 'RSTAT'

/** Something that a stream counts: an attribute by itself, or by the groups of others. */
export type Measured = {
  readonly attribute: string
  readonly statistic: Statistic
  /** The attributes of the group; none: of all events. */
  readonly groups: readonly string[]
  readonly gran_s: number
}

export const rstatFigures = ['avg', 'sum', 'cnt', 'min', 'max', 'stdd', 'skew', 'kurt'] as const
export type Figure = (typeof rstatFigures)[number]

export const figureTexts: Readonly<Record<Figure, string>> = {
  avg: 'average',
  sum: 'sum',
  cnt: 'number of values',
  min: 'least value',
  max: 'greatest value',
  stdd: 'standard deviation',
  skew: 'skewness',
  kurt: 'excess kurtosis',
}

type WireAttribute = { readonly name?: unknown; readonly stat?: unknown; readonly gran?: unknown }
type WireGroup = { readonly gpat?: unknown; readonly iatr?: unknown; readonly stat?: unknown; readonly gran?: unknown }
export type WireStream = {
  readonly name: string
  readonly attr?: readonly WireAttribute[]
  readonly catr?: readonly WireAttribute[]
  readonly gpby?: readonly WireGroup[]
}

const statistics: Readonly<Record<string, Statistic>> = {
  1: 'COUNT',
  2: 'UCOUNT',
  3: 'RSTAT',
  COUNT: 'COUNT',
  UCOUNT: 'UCOUNT',
  RSTAT: 'RSTAT',
}

const statisticOf = (value: unknown): Statistic | undefined => statistics[String(value).toUpperCase()]
const granularityOf = (value: unknown): number => (Number(value) > 0 ? Number(value) : 60)

/** All that a stream of a registered schema counts, in the order in which it declares that. */
export function measuredIn(stream: WireStream): readonly Measured[] {
  const attributes = [...(stream.attr ?? []), ...(stream.catr ?? [])].flatMap(({ name, stat, gran }): Measured[] => {
    const statistic = statisticOf(stat)
    if (statistic === undefined || typeof name !== 'string') return []
    return [{ attribute: name, statistic, groups: [], gran_s: granularityOf(gran) }]
  })
  const groups = listOf(stream.gpby).flatMap(({ gpat, iatr, stat, gran }): Measured[] => {
    const statistic = statisticOf(stat)
    const names = Array.isArray(gpat) ? gpat.map(String) : typeof gpat === 'string' ? [gpat] : []
    const of = Array.isArray(iatr) ? iatr[0] : iatr
    if (statistic === undefined || names.length === 0 || typeof of !== 'string') return []
    return [{ attribute: of, statistic, groups: names, gran_s: granularityOf(gran) }]
  })
  const seen = new Set<string>()
  return [...attributes, ...groups].filter((each) => {
    const name = nameOf(each)
    return !seen.has(name) && seen.add(name)
  })
}

const listOf = <Item>(value: readonly Item[] | Item | undefined): readonly Item[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value as Item]

/** Tells a measured thing in an address. */
export const nameOf = ({ attribute, groups }: Measured): string =>
  groups.length === 0 ? attribute : `${attribute}|${groups.join(':')}`

export const titleOf = ({ attribute, groups, statistic }: Measured): string => {
  const what = { COUNT: 'number of', UCOUNT: 'distinct values of', RSTAT: 'statistics of' }[statistic]
  return `${what} ${attribute}${groups.length > 0 ? ` by ${groups.join(', ')}` : ''}`
}

export type Span = { readonly from_us: number; readonly to_us: number }

const steps = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800,
  2_592_000, 7_776_000, 31_536_000,
]
const maxPoints = 400

/** How many intervals of `gran_s` to merge, so that a span has some hundred points at most and their length is a round one. */
export function rollupFor({ from_us, to_us }: Span, gran_s: number, most = maxPoints): number {
  const length_s = Math.max(1, (to_us - from_us) / 1e6)
  const fitting = steps.filter((step) => step >= gran_s && step % gran_s === 0 && length_s / step <= most)
  const needed = Math.ceil(length_s / most / gran_s) * gran_s
  const round = fitting[0]
  // A length of 7 s divides no round one below a week.
  return Math.max(1, Math.round((round !== undefined && round <= needed * 6 ? round : needed) / gran_s))
}

/** The rollups that a reader may choose for a span: those of round lengths that give 2 to some thousand points. */
export function rollupsFor(span: Span, gran_s: number): readonly number[] {
  const length_s = (span.to_us - span.from_us) / 1e6
  const chosen = steps
    .filter((step) => step >= gran_s && step % gran_s === 0 && length_s / step <= 4000 && length_s / step >= 2)
    .map((step) => step / gran_s)
  return [...new Set([...chosen, rollupFor(span, gran_s)])].sort((a, b) => a - b)
}

/** The query of a chart. `rollup` counts intervals; 1 of them is no rollup, which the language calls 0. */
export function statisticQuery(place: string, { attribute, groups }: Measured, span: Span, rollup: number): string {
  const times = `st >= ${Math.floor(span.from_us)} and et <= ${Math.ceil(span.to_us)}`
  const by = groups.length === 0 ? '' : ` groupby ${groups.join(':')}`
  return `select aggr(${attribute}) from ${place} where ${times}${by} rollup ${rollup <= 1 ? 0 : rollup}`
}

/** The query that finds when a stream has values at all: in intervals of a month about. */
export function extentQuery(place: string, { attribute, gran_s }: Measured, now_us: number): string {
  const rollup = Math.max(2, Math.round(2_592_000 / gran_s))
  return `select aggr(${attribute}) from ${place} where st >= 0 and et <= ${now_us} rollup ${rollup}`
}

export type Row = { readonly k: unknown; readonly v: unknown; readonly ts?: unknown }

/** A figure of a row's `v`: of a COUNT the number itself. */
export function figureOf(value: unknown, figure: Figure): number | null {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'string') return null
  const parsed: unknown = JSON.parse(value)
  if (typeof parsed === 'number') return parsed
  if (typeof parsed !== 'object' || parsed === null) return null
  const there = (parsed as Readonly<Record<string, unknown>>)[figure] // a JSON object: any member may be asked
  const isEmpty = figure !== 'cnt' && figure !== 'sum' && (parsed as { readonly cnt?: unknown }).cnt === 0
  return isEmpty || typeof there !== 'number' ? null : there
}

/** The span of the rows that have values, whose intervals are `length_us` long; undefined where none has. */
export function extentOf(rows: readonly Row[], length_us: number): Span | undefined {
  const times = rows.filter(({ v }) => (figureOf(v, 'cnt') ?? 0) > 0).map(({ k }) => Number(k))
  if (times.length === 0) return undefined
  return { from_us: Math.min(...times), to_us: Math.max(...times) + length_us }
}

export type Lines = {
  readonly x: readonly number[]
  readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[]
  /** Groups that had no room. */
  readonly numLeft: number
}

/** Rows without groups, newest first, as one line. */
export function lineOf(rows: readonly Row[], name: string, figure: Figure): Lines {
  const ordered = rows.toSorted((a, b) => Number(a.k) - Number(b.k))
  const values = ordered.map(({ v }) => figureOf(v, figure))
  return { x: ordered.map(({ k }) => Number(k)), series: [{ name, values }], numLeft: 0 }
}

/** Rows of groups as a line each: of the `most` groups with the greatest sums. */
export function linesOf(rows: readonly Row[], figure: Figure, most: number): Lines {
  const x = [...new Set(rows.map(({ ts }) => Number(ts)))].sort((a, b) => a - b)
  const indexOf = new Map(x.map((time, index) => [time, index]))
  const byGroup = new Map<string, (number | null)[]>()
  for (const { k, v, ts } of rows) {
    const group = String(k)
    const values = byGroup.get(group) ?? new Array<number | null>(x.length).fill(null)
    byGroup.set(group, values)
    const index = indexOf.get(Number(ts))
    if (index !== undefined) values[index] = figureOf(v, figure)
  }
  const sum = (values: readonly (number | null)[]) =>
    values.reduce((total: number, each) => total + Math.abs(each ?? 0), 0)
  const ordered = [...byGroup].sort(([, a], [, b]) => sum(b) - sum(a))
  return {
    x,
    series: ordered.slice(0, most).map(([name, values]) => ({ name: groupText(name), values })),
    numLeft: Math.max(0, ordered.length - most),
  }
}

/** One bar a group over the whole span, the greatest first. */
export function barsOf(rows: readonly Row[], figure: Figure) {
  return rows
    .map(({ k, v }) => ({ name: groupText(String(k)), value: figureOf(aggregateOf(v), figure) ?? 0 }))
    .sort((a, b) => b.value - a.value)
}

/** Of a row over a whole period its aggregate. */
function aggregateOf(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const parsed: unknown = JSON.parse(value)
  const aggregate = typeof parsed === 'object' && parsed !== null && 'aggr_val' in parsed ? parsed.aggr_val : parsed
  return typeof aggregate === 'object' ? JSON.stringify(aggregate) : aggregate
}

/** A group's values as people read them: `DE · home` for `DE:home`. */
export const groupText = (key: string): string =>
  key
    .split(/(?<!\\):/)
    .map((part) => part.replace(/\\([:\\])/g, '$1'))
    .map((part) => (part === '' ? '(empty)' : part))
    .join(' · ')
