import { quoted } from './check-name.ts'
import type { Draft } from './draft.ts'
import type { StatisticKind } from './schema.ts'
import { statistics } from './statistics.ts'

/** The columns that analysts see of a statistic that is kept under this name. */
export const readableColumns = (name: string, kind: StatisticKind): readonly string[] =>
  Object.keys(statistics[kind].readable('value')).map((suffix) => `${name}_${suffix}`)

/** The service keeps columns such as `price__cnt` beside `price`. */
export const checkColumns = ({ part, attributes }: Draft) => {
  for (const name of attributes.keys()) {
    for (let at = name.indexOf('__'); at !== -1; at = name.indexOf('__', at + 1)) {
      const other = name.slice(0, at)
      if (attributes.has(other)) part.fail('attr', `${quoted(name)} is kept for the statistics of ${quoted(other)}`)
    }
  }
}
