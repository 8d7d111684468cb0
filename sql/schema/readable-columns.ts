import type { Statistics } from './schema.ts'
import { readableOf } from './statistics.ts'

/** The columns that analysts see of the statistics that are kept under this name. */
export const readableColumns = (name: string, statistics: Statistics): readonly string[] =>
  Object.keys(readableOf({ result: 'value', input: { name: 'value', type: 'DOUBLE' }, statistics })).map(
    (suffix) => `${name}_${suffix}`,
  )
