/** The questions that a chart asks, and what their answers show. */
import { numberText } from '../../parts/number-text.ts'

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

/** Of several the one whose figures the answer has under the names that it alone would give them. */
function statisticOf(value: unknown): Statistic | undefined {
  const kept = [value].flat().map((each) => statistics[String(each).toUpperCase()])
  if (kept.length === 1) return kept[0]
  return (['RSTAT', 'COUNT'] as const).find((each) => kept.includes(each))
}
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
  const what = { COUNT: 'events with', UCOUNT: 'distinct values of', RSTAT: 'statistics of' }[statistic]
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

/** Rows without groups as one line. */
export function lineOf(x: readonly number[], rows: readonly Row[], name: string, figure: Figure): Lines {
  const values = new Map(rows.map(({ k, v }) => [Number(k), figureOf(v, figure)]))
  return { x, series: [{ name, values: x.map((time) => values.get(time) ?? null) }] }
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

const isRank = (figure: Figure): boolean => figure === 'cnt' || figure === 'sum'

/** The order in which the first groups come first. */
export const rankText = ({ statistic }: Measured, figure: Figure): string =>
  figure === 'sum'
    ? 'with the greatest sums'
    : statistic === 'UCOUNT'
      ? 'with the most distinct values'
      : statistic === 'COUNT'
        ? 'with the most events'
        : 'with the most values'

/** The figure of a row over a whole span, whose aggregate stands in `aggr_val`. */
export function wholeOf(value: unknown, figure: Figure): number | null {
  if (typeof value !== 'string') return figureOf(value, figure)
  const parsed: unknown = JSON.parse(value)
  const aggregate = typeof parsed === 'object' && parsed !== null && 'aggr_val' in parsed ? parsed.aggr_val : parsed
  return figureOf(typeof aggregate === 'object' ? JSON.stringify(aggregate) : aggregate, figure)
}

/** Up to so many distinct values a count of them is exact; beyond, it is within 0.5 %. */
export const exactDistinct = 2000

/** A figure as people read it, with "about" where it is an estimate. */
export const figureText = ({ statistic }: Measured, value: number): string =>
  statistic === 'UCOUNT' && value > exactDistinct ? `about ${numberText(value)}` : numberText(value)

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
