import type { StatisticKind } from './schema.ts'
import { statistics } from './statistics.ts'

/** The columns that analysts see of a statistic that is kept under this name. */
export const readableColumns = (name: string, kind: StatisticKind): readonly string[] =>
  Object.keys(statistics[kind].readable({ result: 'value', input: { name: 'value', type: 'DOUBLE' }, kind })).map(
    (suffix) => `${name}_${suffix}`,
  )
