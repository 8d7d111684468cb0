/** The chart of an answer: chosen by the kinds of its columns, and changed by hand. */
import { cellText, numberOf, timeOf } from '../../parts/result/cells.ts'
import type { ResultColumn, Rows } from '../../parts/result/rows.ts'

export type ChartKind = 'line' | 'bars' | 'names'

export type ChartChoice = {
  /** `names`: a bar for each text of `x`. */
  readonly kind: ChartKind
  readonly x: string
  readonly y: readonly string[]
  /** A series for each text of this column. */
  readonly by?: string
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
    const [by] = names
    return { kind: 'line', x: time.name, y: [measure.name], ...(by && differs(result, by.name) && { by: by.name }) }
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

export type Drawn =
  | {
      readonly form: 'plot'
      readonly isTime: boolean
      readonly x: readonly number[]
      readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[]
      readonly left: number
    }
  | {
      readonly form: 'names'
      readonly names: readonly { readonly name: string; readonly value: number }[]
      readonly left: number
    }

/** More points than this are one too many for a screen. */
const maxPoints = 20_000

export function drawnOf(result: Rows, choice: ChartChoice): Drawn {
  return choice.kind === 'names' ? namesOf(result, choice) : plotOf(result, choice)
}

function namesOf(result: Rows, { x, y }: ChartChoice): Drawn {
  const [at, of] = [indexOf(result, x), indexOf(result, y[0] ?? '')]
  const sums = new Map<string, number>()
  for (const row of result.rows) {
    const value = numberOf(row[of])
    if (value === undefined) continue
    const name = cellText(row[at] ?? '', 'text')
    sums.set(name, (sums.get(name) ?? 0) + value)
  }
  const all = [...sums].map(([name, value]) => ({ name, value })).sort((a, b) => b.value - a.value)
  return { form: 'names', names: all.slice(0, maxNames), left: Math.max(0, all.length - maxNames) }
}

function plotOf(result: Rows, { x, y, by }: ChartChoice): Drawn {
  const at = indexOf(result, x)
  const isTime = result.columns[at]?.kind === 'time'
  const place = isTime ? timeOf : numberOf
  const columns = y.map((name) => ({ name, at: indexOf(result, name) })).filter((column) => column.at >= 0)
  const split = by === undefined ? -1 : indexOf(result, by)
  const count = indexOf(result, 'cnt')
  const points = new Map<number, Map<string, number>>()
  const totals = new Map<string, number>()
  for (const row of result.rows) {
    const position = place(row[at])
    if (position === undefined) continue
    const values = points.get(position) ?? new Map<string, number>()
    points.set(position, values)
    for (const column of columns) {
      // Nothing was measured there: the 0 of an average is none.
      const isOfNothing = ofValues.test(column.name) && count >= 0 && numberOf(row[count]) === 0
      const value = isOfNothing ? undefined : numberOf(row[column.at])
      if (value === undefined) continue
      const name = split < 0 ? column.name : cellText(row[split] ?? '', 'text')
      values.set(name, value)
      totals.set(name, (totals.get(name) ?? 0) + 1)
    }
  }
  const names = [...totals].sort((a, b) => b[1] - a[1]).map(([name]) => name)
  const shown = split < 0 ? names : names.slice(0, maxSeries)
  const positions = [...points.keys()].sort((a, b) => a - b)
  const kept = positions.slice(-maxPoints)
  return {
    form: 'plot',
    isTime,
    x: kept,
    series: shown.map((name) => ({ name, values: kept.map((position) => points.get(position)?.get(name) ?? null) })),
    left: names.length - shown.length,
  }
}
