import { identifier } from '../../identifier.ts'
import { valueType } from '../../schema/columns.ts'
import { stateColumn, valueColumn } from '../../schema/names.ts'
import type { Measure } from '../../schema/statistics.ts'

/** A key of the rows that the values belong to: its name, and the expression over the table of values that gives it. */
export type TopKey = { readonly name: string; readonly value: string }

const countsType = ({ input }: Pick<Measure, 'input'>): string => `Map(${valueType(input.type)}, UInt64)`

const column = (result: string, part: string): string => identifier(stateColumn(result, part))

/** How often each value of a key came, in the rows of `from`, a table of values (quoted) with a condition behind it. */
const counted = ({ result }: Pick<Measure, 'result'>, keys: readonly TopKey[], from: string): string =>
  [
    `SELECT ${[...keys.map(({ name, value }) => `${value} AS ${name}`), valueColumn].join(', ')},`,
    `sum(${column(result, 'cnt')}) AS _times, sum(${column(result, 'left')}) AS _error`,
    `FROM ${from} GROUP BY ${[...keys.map(({ name }) => name), valueColumn].join(', ')}`,
  ].join(' ')

/** The counts are negative, so that the most frequent value is the first, and of equally frequent ones the least. */
const mostFrequent = ({ statistics }: Pick<Measure, 'statistics'>): string =>
  `groupArraySorted(${statistics.top ?? 1})((-toInt64(_times), ${valueColumn}))`

/** Rows of the keys with `_top_<result>`: the values with their counts, and the error. For analysts. */
export const selectTops = (measure: Measure, keys: readonly TopKey[], from: string): string =>
  grouped(measure, keys, from, 'each.2')

/** Rows of the keys with `_counts_<result>`: each value that is kept, and how often it came. For analysts. */
export const selectCounts = (measure: Measure, keys: readonly TopKey[], from: string): string => {
  const names = keys.map(({ name }) => name)
  const counts = `CAST(groupArray((${valueColumn}, _times)), '${countsType(measure)}')`
  return [
    `SELECT ${[...names, `${counts} AS ${column(measure.result, 'counts')}`].join(', ')}`,
    `FROM (${counted(measure, keys, from)}) GROUP BY ${names.join(', ')}`,
  ].join(' ')
}

/** The same with values as JSON texts, in which whole numbers of 64 bits keep all their digits. For answers. */
const selectTexts = (measure: Measure, keys: readonly TopKey[], from: string): string =>
  grouped(measure, keys, from, measure.input.type === 'OBJECT' ? 'each.2' : 'toJSONString(each.2)')

function grouped(measure: Measure, keys: readonly TopKey[], from: string, value: string): string {
  const names = keys.map(({ name }) => name)
  const values = `arrayMap(each -> (${value}, toUInt64(-each.1)), ${mostFrequent(measure)})`
  return [
    `SELECT ${[...names, `(${values}, sum(_error)) AS ${column(measure.result, 'top')}`].join(', ')}`,
    `FROM (${counted(measure, keys, from)})`,
    ...(names.length === 0 ? [] : [`GROUP BY ${names.join(', ')}`]),
  ].join(' ')
}

/** The states of a measure with TOPK, where `states` are those of its other statistics. */
export const statesWithTop = ({ result }: Pick<Measure, 'result'>, states: string): string =>
  `tupleConcat(${states}, tuple(${column(result, 'top')}))`

/** The states over the whole of a table of values. */
export const statesWithWhole = (measure: Measure, states: string, from: string): string =>
  `tupleConcat(${states}, tuple((${selectTexts(measure, [], from)})))`

/** Joins the values to the rows of a page that have these keys. */
export const joinTexts = (measure: Measure, keys: readonly TopKey[], from: string): string =>
  `ANY LEFT JOIN (${selectTexts(measure, keys, from)}) AS ${column(measure.result, 'values')} USING (${keys.map(({ name }) => name).join(', ')})`
