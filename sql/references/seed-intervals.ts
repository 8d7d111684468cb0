/** Intervals of a running statistic, for conditions over a moving time. */

import { qualified } from '../identifier.ts'
import { literal } from '../literal.ts'
import { intervalColumn } from '../schema/ddl/intervals.ts'
import { intervalTable } from '../schema/names.ts'
import type { Attribute, Schema, Statistics, Stream } from '../schema/schema.ts'
import { membersOf, mergedTotal, mergeOf } from '../schema/statistics.ts'
import type { SqlStatement } from '../statement.ts'

/** An attribute whose statistic is kept by intervals of `granularity` seconds. */
export type IntervalSource = {
  readonly schema: Schema
  readonly stream: Stream
  readonly attribute: Attribute & { readonly statistics: Statistics }
}

/** Whether the statistic has the moments of numbers, beside how many values there are. */
export const hasMoments = ({ kinds }: Statistics): boolean => kinds.includes('RSTAT')

/** The beginning of an interval in microseconds, and of its values: how many there are, sum, mean, sample deviation, least, greatest. */
export type IntervalRow = { readonly k: string; readonly v: readonly number[] }

/** Columns `k` and `v`, newest first, of intervals that begin before `before_us`; without moments all but the count are 0. */
export function compileIntervalMoments(
  { schema, stream, attribute }: IntervalSource,
  before_us: number | undefined,
  most: number,
): SqlStatement {
  const measure = { result: attribute.name, input: attribute, statistics: attribute.statistics }
  const members = hasMoments(attribute.statistics) ? membersOf(measure) : {}
  const numbers = ['sum', 'avg', 'stdd', 'min', 'max'].map((name) => `toFloat64(${members[name] ?? '0'})`)
  const inTime = before_us === undefined ? '' : ` WHERE ${intervalColumn} < ${literal(before_us, 'Int64')}`
  const merged = [
    `SELECT ${intervalColumn}, ${mergeOf(measure).join(', ')}, [toFloat64(${mergedTotal(attribute.name)}), ${numbers.join(', ')}] AS _v`,
    `FROM ${qualified(schema.name, intervalTable(stream.name, attribute.granularity))}${inTime}`,
    `GROUP BY ${intervalColumn} HAVING _v[1] > 0 ORDER BY ${intervalColumn} DESC LIMIT ${most}`,
  ].join(' ')
  return {
    text: `SELECT toString(${intervalColumn}) AS k, _v AS v FROM (${merged}) ORDER BY ${intervalColumn} DESC`,
    params: {},
  }
}
