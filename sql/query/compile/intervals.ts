import { identifier, qualified } from '../../identifier.ts'
import { intervalColumn } from '../../schema/ddl/intervals.ts'
import { stateColumn } from '../../schema/names.ts'
import type { StatisticKind } from '../../schema/schema.ts'
import { statistics, valueExpression, valueObject } from '../../schema/statistics.ts'
import type { SqlStatement } from '../../statement.ts'
import type { Span } from './span.ts'

/** A statistic as it stands in an aggregate table. */
export type Aggregation = {
  readonly database: string
  readonly table: string
  readonly result: string
  readonly kind: StatisticKind
  /** Seconds. */
  readonly granularity: number
}

/** A base interval is inside the span when it overlaps it. */
export const overlapping = ({ from, to }: Span, granularity: number): string =>
  `${intervalColumn} > ${from - BigInt(granularity) * 1_000_000n} AND ${intervalColumn} <= ${to}`

/** Microseconds that a row of the answer covers. */
export const rowLength = (granularity: number, rollup: number): bigint =>
  BigInt(granularity) * 1_000_000n * BigInt(Math.max(1, rollup))

export type IntervalsRequest = {
  readonly span: Span
  readonly rollup: number
  readonly limit: number
  /** Only rows that start before this. */
  readonly before?: bigint
}

/** Columns `k` (the interval's start, as text) and `v`, newest first; only intervals that hold values. */
export function compileIntervals(aggregation: Aggregation, request: IntervalsRequest): SqlStatement {
  const { database, table, result, kind, granularity } = aggregation
  const length = rowLength(granularity, request.rollup)
  const conditions = [
    overlapping(request.span, granularity),
    ...(request.before === undefined ? [] : [`${intervalColumn} < ${request.before}`]),
  ]
  const inner = [
    `SELECT intDiv(${intervalColumn}, ${length}) * ${length} AS start,`,
    statistics[kind].merge(result).join(', '),
    `FROM ${qualified(database, table)} WHERE ${conditions.join(' AND ')}`,
    `GROUP BY start HAVING ${identifier(stateColumn(result, 'n'))} > 0 ORDER BY start DESC LIMIT ${request.limit}`,
  ].join(' ')
  return {
    text: `SELECT toString(start) AS k, toString(${valueExpression(aggregation)}) AS v FROM (${inner}) ORDER BY start DESC`,
    params: {},
  }
}

/** One row over the whole span: column `v`, the text `{fromts, tots, aggr_val}`. */
export function compileWholeSpan(aggregation: Aggregation, span: Span): SqlStatement {
  const { database, table, result, kind, granularity } = aggregation
  return {
    text: [
      `SELECT ${spanObject(aggregation, span)} AS v FROM (SELECT ${statistics[kind].merge(result).join(', ')}`,
      `FROM ${qualified(database, table)} WHERE ${overlapping(span, granularity)})`,
    ].join(' '),
    params: {},
  }
}

export const spanObject = (aggregation: Pick<Aggregation, 'kind' | 'result'>, { from, to }: Span): string =>
  `concat('{"fromts":${from},"tots":${to},"aggr_val":', ${valueObject(aggregation)}, '}')`

/** One row where an aggregate table (quoted) holds an interval that began before `cutoff_us`. */
export const compileOldest = (table: string, cutoff_us: number): SqlStatement => ({
  text: `SELECT 1 AS older FROM ${table} WHERE ${intervalColumn} < {cutoff:Int64} LIMIT 1`,
  params: { cutoff: cutoff_us },
})

/** The value of an interval without events. */
export const emptyValue = (kind: StatisticKind): string =>
  statistics[kind].bareNumber ? '0' : '{"cnt":0,"sum":0,"min":0,"max":0,"avg":0,"stdd":0,"skew":0,"kurt":0}'
