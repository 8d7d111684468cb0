/** The chart of an answer: chosen by the kinds of its columns, and changed by hand. */
import { numberText } from '../../parts/number-text.ts'
import { cellText, numberOf, timeOf } from '../../parts/result/cells.ts'
import type { Cell, ResultColumn, Rows } from '../../parts/result/rows.ts'
import { timeText } from '../../parts/time-text.ts'

export type ChartKind = 'line' | 'bars' | 'names'

/** How several rows of one name, or of one place on the x axis, become one: only as a reader chooses, and the axis says so. */
export const joins = {
  sum: (values: readonly number[]) => values.reduce((total, each) => total + each, 0),
  mean: (values: readonly number[]) => values.reduce((total, each) => total + each, 0) / values.length,
  greatest: (values: readonly number[]) => values.reduce((max, each) => Math.max(max, each), Number.NEGATIVE_INFINITY),
  min: (values: readonly number[]) => values.reduce((max, each) => Math.min(max, each), Number.POSITIVE_INFINITY),
} as const
export type Join = keyof typeof joins

/** In the place of a column: all columns of texts together. */
export const eachCombination = '*'

export type ChartChoice = {
  /** `names`: a bar for each text of `x`. */
  readonly kind: ChartKind
  readonly x: string
  readonly y: readonly string[]
  /** A series for each text of this column, or for `eachCombination` of the texts of all. */
  readonly by?: string
  readonly join?: Join
}

/** Measures by which people ask first. */
const first = ['value', 'avg', 'cnt', 'sum', 'count()', 'num_events']
/** Columns of numbers that measure nothing. */
const noMeasure = /^(?:_pk|_v|ts|fromts|tots|evpk|_seq|_at|key|id)$/i
/** Of no values there are none of these. */
const ofValues = /^(?:avg|min|max|stdd|skew|kurt)$/
const maxSeries = 8
const maxNames = 40
const sampled = 5000

export const measuresOf = ({ columns }: Rows): readonly ResultColumn[] =>
  columns.filter(({ name, kind }) => kind === 'number' && !noMeasure.test(name))

/** Undefined where there is nothing that a chart could show. */
export function chooseChart(result: Rows): ChartChoice | undefined {
  const { columns, rows } = result
  const measures = measuresOf(result)
  const [measure] = measures.toSorted((a, b) => rank(a.name) - rank(b.name))
  if (!measure || rows.length === 0) return undefined
  const time = columns.find(
    ({ kind, name }) => kind === 'time' && !/^(?:fromts|tots)$/.test(name) && differs(result, name),
  )
  const names = columns.filter(({ kind, name }) => kind === 'text' && isFew(result, name))
  if (time) {
    const choice: ChartChoice = { kind: 'line', x: time.name, y: [measure.name] }
    const texts = names.map(({ name }) => name).filter((name) => differs(result, name))
    const ways = [undefined, ...texts, ...(texts.length > 1 ? [eachCombination] : [])]
    const by = ways.find((each) => !hasSeveral(result, withBy(choice, each)))
    return withBy(choice, by ?? ways[1])
  }
  const [named] = names.length > 0 ? names : columns.filter(({ kind }) => kind === 'text')
  if (named) return { kind: 'names', x: named.name, y: [measure.name] }
  const [x, y] = measures
  return x && y ? { kind: 'line', x: x.name, y: [y.name] } : undefined
}

const rank = (name: string): number => {
  const place = first.indexOf(name)
  return place < 0 ? first.length : place
}

const indexOf = ({ columns }: Rows, name: string): number => columns.findIndex((column) => column.name === name)

const differs = (result: Rows, name: string): boolean => distinct(result, name, 2).size > 1
const isFew = (result: Rows, name: string): boolean => {
  const found = distinct(result, name, maxNames + 1).size
  return found > 0 && found <= maxNames
}

function distinct(result: Rows, name: string, enough: number): ReadonlySet<string> {
  const at = indexOf(result, name)
  const found = new Set<string>()
  for (const row of result.rows.slice(0, sampled)) {
    const cell = row[at]
    if (cell !== undefined && cell !== null) found.add(cellText(cell, 'text'))
    if (found.size >= enough) break
  }
  return found
}

const withBy = (choice: ChartChoice, by: string | undefined): ChartChoice =>
  by === undefined ? choice : { ...choice, by }

/** The columns whose texts tell rows apart that have the same `x`. */
export const textColumns = (result: Rows, x: string): readonly string[] =>
  result.columns
    .filter(({ name, kind }) => kind === 'text' && name !== x && differs(result, name))
    .map(({ name }) => name)

export type Drawn =
  | {
      readonly form: 'plot'
      readonly isTime: boolean
      readonly x: readonly number[]
      readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[]
      /** Series that had no room, and points. */
      readonly left: number
      readonly leftPoints: number
    }
  | { readonly form: 'names'; readonly names: readonly { readonly name: string; readonly value: number }[] }
  /** Several rows have the same place: how they become one is the reader's to say. */
  | { readonly form: 'several'; readonly place: string; readonly count: number }

/** More points than this are one too many for a screen. */
const maxPoints = 20_000

export function drawnOf(result: Rows, choice: ChartChoice): Drawn {
  return choice.kind === 'names' ? namesOf(result, choice) : plotOf(result, choice)
}

/** Whether several rows have the same name, or the same place in a series. */
export function hasSeveral(result: Rows, { kind, x, y, by }: ChartChoice): boolean {
  const [at, of] = [indexOf(result, x), indexOf(result, y[0] ?? '')]
  const split = kind === 'names' ? [] : splitOf(result, x, by)
  const seen = new Set<string>()
  for (const row of result.rows) {
    if (numberOf(row[of]) === undefined) continue
    const place = JSON.stringify([cellName(row[at]), ...split.map((each) => cellName(row[each]))])
    if (seen.has(place)) return true
    seen.add(place)
  }
  return false
}

const splitOf = (result: Rows, x: string, by: string | undefined): readonly number[] =>
  by === undefined ? [] : (by === eachCombination ? textColumns(result, x) : [by]).map((name) => indexOf(result, name))

/** A cell as a name: NULL and a text without characters have one, too. */
const cellName = (cell: Cell): string => {
  const text = cellText(cell ?? null, 'text')
  return text === '' ? '(empty)' : text
}

function namesOf(result: Rows, choice: ChartChoice): Drawn {
  const { x, y, join } = choice
  const [at, of] = [indexOf(result, x), indexOf(result, y[0] ?? '')]
  // A bar for each row, named by all that tells it from the others.
  const others = join === undefined && hasSeveral(result, choice) ? [at, ...splitOf(result, x, eachCombination)] : [at]
  const kindAt = result.columns[at]?.kind ?? 'text'
  const rows = result.rows.flatMap((row) => {
    const value = numberOf(row[of])
    const first = kindAt === 'text' ? cellName(row[at]) : cellText(row[at] ?? null, kindAt)
    const name = [first, ...others.slice(1).map((each) => cellName(row[each]))].join(' · ')
    return value === undefined ? [] : [{ name, value }]
  })
  if (join === undefined) return { form: 'names', names: rows.sort((a, b) => b.value - a.value) }
  const byName = new Map<string, number[]>()
  for (const { name, value } of rows) byName.set(name, [...(byName.get(name) ?? []), value])
  const names = [...byName].map(([name, values]) => ({ name, value: joins[join](values) }))
  return { form: 'names', names: names.sort((a, b) => b.value - a.value) }
}

function plotOf(result: Rows, { x, y, by, join }: ChartChoice): Drawn {
  const at = indexOf(result, x)
  const isTime = result.columns[at]?.kind === 'time'
  const place = isTime ? timeOf : numberOf
  const columns = y.map((name) => ({ name, at: indexOf(result, name) })).filter((column) => column.at >= 0)
  const split = splitOf(result, x, by)
  const count = indexOf(result, 'cnt')
  const points = new Map<number, Map<string, number[]>>()
  const totals = new Map<string, number>()
  let several: { readonly position: number; readonly name: string } | undefined
  for (const row of result.rows) {
    const position = place(row[at])
    if (position === undefined) continue
    const values = points.get(position) ?? new Map<string, number[]>()
    points.set(position, values)
    for (const column of columns) {
      // Nothing was measured there: the 0 of an average is none.
      const isOfNothing = ofValues.test(column.name) && count >= 0 && numberOf(row[count]) === 0
      const value = isOfNothing ? undefined : numberOf(row[column.at])
      if (value === undefined) continue
      const name = split.length === 0 ? column.name : split.map((each) => cellName(row[each])).join(' · ')
      const there = values.get(name)
      if (there) {
        several ??= { position, name }
        there.push(value)
      } else values.set(name, [value])
      totals.set(name, (totals.get(name) ?? 0) + 1)
    }
  }
  if (several && join === undefined) {
    const { position, name } = several
    const text = isTime ? timeText(position) : numberText(position)
    return { form: 'several', place: text, count: points.get(position)?.get(name)?.length ?? 0 }
  }
  const names = [...totals].sort((a, b) => b[1] - a[1]).map(([name]) => name)
  const shown = split.length === 0 ? names : names.slice(0, maxSeries)
  const all = withGaps(
    [...points.keys()].sort((a, b) => a - b),
    intervalColumns.test(x),
  )
  const kept = all.slice(-maxPoints)
  const joined = (values: readonly number[] | undefined): number | null =>
    values?.[0] === undefined ? null : join === undefined ? values[0] : joins[join](values)
  return {
    form: 'plot',
    isTime,
    x: kept,
    series: shown.map((name) => ({ name, values: kept.map((position) => joined(points.get(position)?.get(name))) })),
    left: names.length - shown.length,
    leftPoints: all.length - kept.length,
  }
}

const intervalColumns = /^(?:ts|interval_start)$/

/** Among the beginnings of intervals one without values behind each that the next does not follow: no line goes over it. */
function withGaps(positions: readonly number[], areIntervals: boolean): readonly number[] {
  if (!areIntervals) return positions
  const step = positions.slice(1).reduce((min, each, at) => Math.min(min, each - (positions[at] ?? 0)), Infinity)
  return positions.flatMap((each, at) =>
    (positions[at + 1] ?? each) - each > step * 1.5 ? [each, each + step] : [each],
  )
}
