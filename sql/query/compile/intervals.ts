import { identifier, qualified } from '../../identifier.ts'
import { intervalColumn } from '../../schema/ddl/intervals.ts'
import { stateColumn, topTable } from '../../schema/names.ts'
import { hasTop, type Measure, mergedTotal, statesOf } from '../../schema/statistics.ts'
import type { SqlStatement } from '../../statement.ts'
import type { Span } from './span.ts'
import { joinTexts, statesWithTop, statesWithWhole } from './tops.ts'

/** Statistics as they stand in an aggregate table. */
export type Aggregation = Measure & {
  readonly database: string
  readonly table: string
  /** Seconds. */
  readonly granularity: number
}

/** A base interval is inside the span when it overlaps it; none is inside one that ends before it starts. */
export const overlapping = ({ from, to }: Span, granularity: number): string =>
  from > to ? 'false' : `${intervalColumn} > ${from - BigInt(granularity) * 1_000_000n} AND ${intervalColumn} <= ${to}`

const maxMicroseconds = 2n ** 63n - 1n

/** Microseconds that a row of the answer covers; all of time where it would be more. */
export function rowLength(granularity: number, rollup: number): bigint {
  const length = BigInt(granularity) * 1_000_000n * BigInt(Math.max(1, rollup))
  return length > maxMicroseconds ? maxMicroseconds : length
}

export type IntervalsRequest = {
  readonly span: Span
  readonly rollup: number
  readonly limit: number
  /** Intervals that start at this time or later are left out. */
  readonly before?: bigint
  /** Only rows that start at it or later. */
  readonly floor?: bigint
}

/** Columns `k` (the interval's start, as text) and `v` (merged states), newest first; only intervals that hold values. */
export function compileIntervals(aggregation: Aggregation, request: IntervalsRequest): SqlStatement {
  const { database, table, result, granularity } = aggregation
  const length = rowLength(granularity, request.rollup)
  const conditions = [
    overlapping(request.span, granularity),
    ...(request.before === undefined ? [] : [`${intervalColumn} < ${request.before}`]),
    ...(request.floor === undefined ? [] : [`${intervalColumn} >= ${request.floor}`]),
  ]
  const start = `intDiv(${intervalColumn}, ${length}) * ${length}`
  const inPeriod = `WHERE ${conditions.join(' AND ')}`
  const states = statesOf(aggregation)
  const isJoined = hasTop(aggregation)
  const text = [
    `SELECT ${isJoined ? `${start} AS start` : `toString(${start} AS start) AS k`}, ${states} AS v`,
    `FROM ${qualified(database, table)} ${inPeriod}`,
    `GROUP BY start HAVING ${mergedTotal(result)} > 0 ORDER BY start DESC LIMIT ${request.limit}`,
  ].join(' ')
  if (!isJoined) return { text, params: {} }
  const values = joinTexts(aggregation, [{ name: 'start', value: start }], `${valuesOf(aggregation)} ${inPeriod}`)
  return {
    text: `SELECT toString(start) AS k, ${statesWithTop(aggregation, '_page.v')} AS v FROM (${text}) AS _page ${values} ORDER BY start DESC`,
    params: {},
  }
}

/** The table that keeps how often each value came. */
export const valuesOf = ({ database, table, result }: Aggregation): string =>
  qualified(database, topTable(table, result))

/** Column `k`: the last interval of the span below `floor` that holds values, as text; no row where there is none. */
export function compileIntervalBelow(aggregation: Aggregation, span: Span, floor: bigint): SqlStatement {
  const { database, table, result, granularity } = aggregation
  const conditions = [
    overlapping(span, granularity),
    `${intervalColumn} < ${floor}`,
    `${identifier(stateColumn(result, 'cnt'))} > 0`,
  ]
  return {
    text: [
      `SELECT toString(${intervalColumn}) AS k FROM ${qualified(database, table)} WHERE ${conditions.join(' AND ')}`,
      `ORDER BY ${intervalColumn} DESC LIMIT 1`,
    ].join(' '),
    params: {},
  }
}

/** One row over the whole span: column `v`, merged states. */
export function compileWholeSpan(aggregation: Aggregation, span: Span): SqlStatement {
  const { database, table, granularity } = aggregation
  const inSpan = `WHERE ${overlapping(span, granularity)}`
  const states = statesOf(aggregation)
  const all = hasTop(aggregation) ? statesWithWhole(aggregation, states, `${valuesOf(aggregation)} ${inSpan}`) : states
  return { text: `SELECT ${all} AS v FROM ${qualified(database, table)} ${inSpan}`, params: {} }
}

/** One row where an aggregate table (quoted) holds an interval that began before `cutoff_us`. */
export const compileOldest = (table: string, cutoff_us: number): SqlStatement => ({
  text: `SELECT 1 AS older FROM ${table} WHERE ${intervalColumn} < {cutoff:Int64} LIMIT 1`,
  params: { cutoff: cutoff_us },
})
