import { columnType, valueOf } from '../columns.ts'
import { column, type StatisticSql } from './part.ts'

// A sketch of no values at all merges to NULL.
const merged = (result: string): string => `ifNull(uniqCombined64Merge(${column(result, 'uniq')}), 0)`

/** The number of different values, by ClickHouse's own sketch. */
export const uniqueCount: StatisticSql = {
  columns: ({ result, input }) => [
    `${column(result, 'uniq')} AggregateFunction(uniqCombined64, ${columnType(input.type)})`,
  ],
  feed: ({ result, input }) => [`uniqCombined64State(${valueOf(input)}) AS ${column(result, 'uniq')}`],
  states: ({ result }) => merged(result),
  /** The values that were seen. */
  sketch: ({ result }) => `hex(uniqCombined64MergeState(${column(result, 'uniq')}))`,
  merge: ({ result }) => [`${merged(result)} AS ${column(result, 'u')}`],
  members: ({ result }) => ({ unique: column(result, 'u') }),
  readable: ({ result, input }) => ({
    unique: {
      value: column(result, 'u'),
      type: 'UInt64',
      about: `Number of different values of ${input.name}: exact up to about 2,000, then within about 0.5 %; adding it over rows counts values twice`,
    },
  }),
  shownStates: ({ result, input }) => ({
    state: {
      value: `uniqCombined64MergeState(${column(result, 'uniq')})`,
      type: `AggregateFunction(uniqCombined64, ${columnType(input.type)})`,
      about: `Different values of ${input.name}: uniqCombined64Merge over rows counts each once`,
    },
  }),
  asked: (of) => ({ unique: `uniqCombined64Merge(${of('state')})` }),
  hasLargeStates: false,
}
