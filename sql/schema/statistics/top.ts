import { valueType } from '../columns.ts'
import type { Statistics } from '../schema.ts'
import { column, type Measure, type StatisticSql } from './part.ts'

/**
 * The most frequent values. How often each value came is kept in a table of its own (ddl/tops.ts), which a view or a query
 * joins to the other statistics: there `_top_<result>` is the values with their counts, and the error.
 */
export const top: StatisticSql = {
  /** Of the table of values: how many more there may have been of any, since a block of events had too many values. */
  columns: ({ result }) => [`${column(result, 'left')} SimpleAggregateFunction(sum, UInt64)`],
  feed: () => [],
  states: () => '',
  merge: () => [],
  members: () => ({}),
  readable: ({ result, input, statistics }) => ({
    top: {
      value: `${column(result, 'top')}.1`,
      type: `Array(Tuple(value ${valueType(input.type)}, cnt UInt64))`,
      about: `The ${statistics.top} most frequent values of ${input.name}, most frequent first, and how often each came`,
    },
    top_error: {
      value: `${column(result, 'top')}.2`,
      type: 'UInt64',
      about: `How many more there may have been of any value of ${input.name} than its cnt says; 0 where cnt is exact`,
    },
  }),
  shownStates: ({ result, input }) => ({
    counts: {
      value: column(result, 'counts'),
      type: `Map(${valueType(input.type)}, UInt64)`,
      about: `Values of ${input.name} and how often each came: sumMap over rows adds them`,
      isJoined: true,
    },
  }),
  asked: (of, { input, statistics }) => ({
    top: `arraySlice(arrayReverseSort(each -> each.2, CAST(sumMap(${of('counts')}), 'Array(Tuple(${valueType(input.type)}, UInt64))')), 1, ${statistics.top})`,
  }),
  hasLargeStates: false,
}

export const hasTop = ({ statistics }: { readonly statistics?: Statistics }): boolean =>
  statistics?.kinds.includes('TOPK') ?? false

/** The measure as the table of its aggregate stores it: the number of values, and all statistics except TOPK. */
export function besideTop(measure: Measure): Measure {
  if (!hasTop(measure)) return measure
  const { top: _, ...others } = measure.statistics
  const kinds = others.kinds.filter((kind) => kind !== 'TOPK')
  return { ...measure, statistics: { ...others, kinds: kinds.length > 0 ? kinds : ['COUNT'] } }
}
