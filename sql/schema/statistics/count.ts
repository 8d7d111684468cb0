import { mergedTotal, type StatisticSql } from './part.ts'

/** The number of values, which each measure keeps. */
export const count: StatisticSql = {
  columns: () => [],
  feed: () => [],
  states: ({ result }) => mergedTotal(result),
  merge: () => [],
  members: () => ({}),
  readable: () => ({}),
  asked: () => ({}),
  hasLargeStates: false,
}
