/** The questions that a chart asks, and what their answers show. */
import { attributeTypes, statistics } from '../../api/codes.ts'
import { parseJson } from '../../api/json.ts'
import { numberText } from '../../parts/number-text.ts'

/** One statistic by itself, or several, whose value has the members of all; so have quantiles, last, first and most frequent values alone. */
export type Statistic = 'COUNT' | 'UCOUNT' | 'RSTAT' | 'LIST'

/** Something that a stream counts: an attribute by itself, or by the groups of others. */
export type Measured = {
  readonly attribute: string
  readonly statistic: Statistic
  /** The figures that a chart of it may show, the usual one first. */
  readonly figures: readonly Figure[]
  /** The attributes of the group; none: of all events. */
  readonly groups: readonly string[]
  readonly gran_s: number
}

const rstatFigures = ['avg', 'sum', 'cnt', 'min', 'max', 'stdd', 'skew', 'kurt'] as const
/** A member of a value, or all its quantiles. */
export type Figure = string

const figureTexts: Readonly<Record<string, string>> = {
  avg: 'average',
  sum: 'sum',
  cnt: 'number of values',
  min: 'least value',
  max: 'greatest value',
  stdd: 'standard deviation',
  skew: 'skewness',
  kurt: 'excess kurtosis',
  unique: 'number of distinct values',
  quantiles: 'quantiles',
  last: 'last value',
  first: 'first value',
  top: 'most frequent values',
}

export const figureTextOf = (figure: Figure): string => figureTexts[figure] ?? figure

type WireStatistics = { readonly stat?: unknown; readonly q?: unknown; readonly gran?: unknown }
type WireAttribute = WireStatistics & { readonly name?: unknown; readonly type?: unknown }
type WireGroup = WireStatistics & { readonly gpat?: unknown; readonly iatr?: unknown }
export type WireStream = {
  readonly name: string
  readonly attr?: readonly WireAttribute[]
  readonly catr?: readonly WireAttribute[]
  readonly gpby?: readonly WireGroup[]
}

/** The levels of quantiles where a schema names none. */
export const usualLevels = [0.5, 0.9, 0.95, 0.99]

/** The member that has a quantile: 0.999 is `p99_9`. */
export const quantileName = (level: number): string => `p${String(Number((level * 100).toFixed(4))).replace('.', '_')}`

/** The names of the members of quantiles, the least first. */
export const quantilesIn = ({ figures }: Pick<Measured, 'figures'>): readonly string[] =>
  figures.filter((each) => /^p\d/.test(each))

/** The statistics that are kept, and what a chart of them may show; undefined where nothing is kept. */
function keptOf(
  { stat, q }: WireStatistics,
  isNumber: boolean,
  isGrouped: boolean,
): Pick<Measured, 'statistic' | 'figures'> | undefined {
  const kinds = [stat].flat().flatMap((each) => statistics[String(each).toUpperCase()] ?? [])
  const [only, ...others] = kinds
  if (only === undefined) return undefined
  if (others.length === 0 && (only === 'COUNT' || only === 'UCOUNT')) return { statistic: only, figures: ['cnt'] }
  if (others.length === 0 && only === 'RSTAT') return { statistic: only, figures: rstatFigures }
  const levels = (Array.isArray(q) ? q.map(Number) : usualLevels).toSorted((a, b) => a - b).map(quantileName)
  const hasAll = levels.length > 1 && !isGrouped
  const figures = [
    ...(kinds.includes('RSTAT') ? rstatFigures : []),
    ...(kinds.includes('QUANTILES') ? [...(hasAll ? ['quantiles'] : []), ...levels] : []),
    ...(isNumber && kinds.includes('LAST') ? ['last'] : []),
    ...(isNumber && kinds.includes('FIRST') ? ['first'] : []),
    ...(!isGrouped && kinds.includes('TOPK') ? ['top'] : []),
    ...(kinds.includes('UCOUNT') ? ['unique'] : []),
    'cnt',
  ]
  return { statistic: 'LIST', figures: [...new Set(figures)] }
}

const isNumeric = (type: unknown): boolean =>
  ['LONG', 'DOUBLE'].includes(attributeTypes[String(type).toUpperCase()] ?? '')
const granularityOf = (value: unknown): number => (Number(value) > 0 ? Number(value) : 60)

/** All that a stream of a registered schema counts, in the order in which it declares that. */
export function measuredIn(stream: WireStream): readonly Measured[] {
  const all = [...(stream.attr ?? []), ...(stream.catr ?? [])]
  const isOfNumbers = (name: unknown): boolean => all.some((each) => each.name === name && isNumeric(each.type))
  const attributes = all.flatMap(({ name, gran, ...each }): Measured[] => {
    const kept = keptOf(each, isOfNumbers(name), false)
    if (kept === undefined || typeof name !== 'string') return []
    return [{ attribute: name, ...kept, groups: [], gran_s: granularityOf(gran) }]
  })
  const groups = listOf(stream.gpby).flatMap(({ gpat, iatr, gran, ...each }): Measured[] => {
    const names = Array.isArray(gpat) ? gpat.map(String) : typeof gpat === 'string' ? [gpat] : []
    const of = Array.isArray(iatr) ? iatr[0] : iatr
    const kept = keptOf(each, isOfNumbers(of), true)
    if (kept === undefined || names.length === 0 || typeof of !== 'string') return []
    return [{ attribute: of, ...kept, groups: names, gran_s: granularityOf(gran) }]
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
  const what = { COUNT: 'events with', UCOUNT: 'distinct values of', RSTAT: 'statistics of', LIST: 'statistics of' }[
    statistic
  ]
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

/** The whole intervals that a span touches: from a multiple of `step_s`, to the end of an interval of `gran_s`. */
export function snapped({ from_us, to_us }: Span, gran_s: number, step_s: number): Span {
  const [gran_us, step_us] = [gran_s * 1e6, step_s * 1e6]
  const from = Math.floor(from_us / step_us) * step_us
  return { from_us: from, to_us: Math.max(Math.ceil(to_us / gran_us) * gran_us, from + gran_us) }
}

/**
 * The query of a chart, of one group or of all. `rollup` counts intervals; 1 of them is no rollup, which the language calls 0,
 * and 'whole' is one row of the whole span, which the language calls 1.
 */
export function statisticQuery(
  place: string,
  { attribute, groups }: Measured,
  { from_us, to_us }: Span,
  rollup: number | 'whole',
  group?: string,
): string {
  const times = `st >= ${Math.floor(from_us)} and et <= ${Math.ceil(to_us) - 1}`
  const only = group === undefined ? '' : ` and skey = ${quotedKey(group)}`
  const by = groups.length === 0 ? '' : ` groupby ${groups.join(':')}`
  const joined = rollup === 'whole' ? 1 : rollup <= 1 ? 0 : rollup
  return `select aggr(${attribute}) from ${place} where ${times}${only}${by} rollup ${joined}`
}

/** The key of a group, as an answer has it, in quotes. */
const quotedKey = (key: string): string =>
  `"${key.replaceAll('"', '""').replace(/(?![\t\r\n])\p{Cc}/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`

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

/** When the intervals of rows begin that have values. Rows of groups have that in `ts`. */
export const timesOf = (rows: readonly Row[]): readonly number[] =>
  rows.filter(({ v }) => (figureOf(v, 'cnt') ?? 0) > 0).map(({ k, ts }) => Number(ts ?? k))

export type Line = {
  readonly name: string
  readonly values: readonly (number | null)[]
  /** The figure of the whole span, as the service tells it: intervals are never added. */
  readonly whole?: string | undefined
}
export type Lines = { readonly x: readonly number[]; readonly series: readonly Line[] }

/** A chart has so many places at most for intervals in which nothing came. */
const maxPlaces = 20_000

/** The beginnings of all intervals of a span; of too many those that have a row. */
export function placesOf({ from_us, to_us }: Span, step_us: number, rows: readonly Row[]): readonly number[] {
  const count = Math.ceil((to_us - from_us) / step_us)
  if (count <= maxPlaces) return Array.from({ length: count }, (_, place) => from_us + place * step_us)
  return [...new Set(rows.map(({ k, ts }) => Number(ts ?? k)))].sort((a, b) => a - b)
}

/** Rows without groups as a line of each figure, by its name. */
export function lineOf(
  x: readonly number[],
  rows: readonly Row[],
  figures: readonly (readonly [name: string, Figure])[],
): Lines {
  const at = new Map(rows.map(({ k, v }) => [Number(k), v]))
  return {
    x,
    series: figures.map(([name, figure]) => ({ name, values: x.map((time) => figureOf(at.get(time), figure)) })),
  }
}

export type TopValues = {
  /** The most frequent one first. */
  readonly values: readonly { readonly name: string; readonly cnt: number }[]
  /** How many more there may have been of each. */
  readonly error: number
}

type TopEntry = { readonly value: unknown; readonly cnt: number }

function topName(value: unknown): string {
  if (typeof value === 'string') return value || '(empty)'
  return typeof value === 'object'
    ? JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each))
    : String(value)
}

/** The most frequent values over a whole span, as the service tells them. */
export function topOf(value: unknown): TopValues {
  // Values of 64 bits keep all their digits.
  const { aggr_val } = (typeof value === 'string' ? parseJson(value) : {}) as {
    readonly aggr_val?: { readonly top?: readonly TopEntry[]; readonly top_error?: number }
  }
  const { top = [], top_error = 0 } = aggr_val ?? {}
  return { values: top.map((each) => ({ name: topName(each.value), cnt: Number(each.cnt) })), error: Number(top_error) }
}

/**
 * Rows of groups as a line each, in the order of `groups`. Where a group has no row nothing came: its number and its sum are 0 there,
 * from the first row to `until_us`, and its average is none.
 */
export function linesOf(
  x: readonly number[],
  rows: readonly Row[],
  groups: readonly Group[],
  figure: Figure,
  until_us: number,
  says: (value: number) => string = numberText,
): Lines {
  const indexOf = new Map(x.map((time, index) => [time, index]))
  const first = rows.reduce((least, { ts }) => Math.min(least, Number(ts)), Number.POSITIVE_INFINITY)
  const isAdded = figure === 'cnt' || figure === 'sum'
  const nothing = x.map((time): number | null => (isAdded && time >= first && time < until_us ? 0 : null))
  const byGroup = new Map(groups.map(({ key }) => [key, [...nothing]]))
  for (const { k, v, ts } of rows) {
    const values = byGroup.get(String(k))
    const index = indexOf.get(Number(ts))
    if (values && index !== undefined) values[index] = figureOf(v, figure)
  }
  return {
    x,
    series: groups.map(({ key, value }) => ({
      name: groupText(key),
      values: byGroup.get(key) ?? [],
      whole: value === null ? undefined : says(value),
    })),
  }
}

export type Group = {
  /** The group's values as answers have them in `k`. */
  readonly key: string
  readonly value: number | null
  /** By which the groups that are drawn are chosen. */
  readonly rank: number
}

/** Rows over a whole span as groups, the first in rank first: by their number or sum itself, else by how many values they have. */
export const groupsOf = (rows: readonly Row[], figure: Figure): readonly Group[] =>
  rows
    .map(({ k, v }): Group => {
      const value = wholeOf(v, figure)
      return { key: String(k), value, rank: Math.abs((isRank(figure) ? value : wholeOf(v, 'cnt')) ?? 0) }
    })
    .sort((a, b) => b.rank - a.rank)

const isRank = (figure: Figure): boolean => figure === 'cnt' || figure === 'sum' || figure === 'unique'

/** The order in which the first groups come first. */
export const rankText = ({ statistic }: Measured, figure: Figure): string =>
  figure === 'sum'
    ? 'with the greatest sums'
    : isDistinct({ statistic }, figure)
      ? 'with the most distinct values'
      : statistic === 'COUNT'
        ? 'with the most events'
        : 'with the most values'

/** The figure of a row over a whole span, whose aggregate stands in `aggr_val`. */
export function wholeOf(value: unknown, figure: Figure): number | null {
  if (typeof value !== 'string') return figureOf(value, figure)
  const aggregate = aggregateOf(value)
  return figureOf(typeof aggregate === 'object' ? JSON.stringify(aggregate) : aggregate, figure)
}

function aggregateOf(value: unknown): unknown {
  const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : {}
  return typeof parsed === 'object' && parsed !== null && 'aggr_val' in parsed ? parsed.aggr_val : parsed
}

/** Up to so many distinct values a count of them is exact; beyond, it is within 0.5 %. */
export const exactDistinct = 2000

/** Whether a figure counts distinct values, which do not add up. */
export const isDistinct = ({ statistic }: Pick<Measured, 'statistic'>, figure: Figure): boolean =>
  figure === 'unique' || statistic === 'UCOUNT'

/** A figure as people read it, with "about" where it is an estimate. */
export const figureText = (measured: Pick<Measured, 'statistic'>, figure: Figure, value: number): string =>
  isDistinct(measured, figure) && value > exactDistinct ? `about ${numberText(value)}` : numberText(value)

/** A group's values as people read them: `DE · home` for `DE:home`. */
export const groupText = (key: string): string =>
  valuesOf(key)
    .map((part) => (part === '' ? '(empty)' : part))
    .join(' · ')

/** The values of a key, in which a colon or a backslash of a value follows a backslash. */
function valuesOf(key: string): readonly string[] {
  const values = ['']
  for (let at = 0; at < key.length; at++) {
    const isEscape = key[at] === '\\' && /[:\\]/.test(key[at + 1] ?? '')
    if (isEscape) at++
    if (key[at] === ':' && !isEscape) values.push('')
    else values.push(`${values.pop() ?? ''}${key[at] ?? ''}`)
  }
  return values
}
