/** The question of an alert on a chart of a statistic. */
import type { NewQuestion } from '../saved/addresses.ts'
import { type Figure, type Measured, quantilesIn } from './statistic-query.ts'

/** The column of analysts' views that has a figure; undefined where it has none that a condition could be of. */
function columnOf({ attribute, statistic, figures }: Measured, figure: Figure): string | undefined {
  if (figure === 'top') return undefined
  if (figure === 'quantiles') return `${attribute}_${quantilesIn({ figures }).at(-1) ?? 'p95'}`
  return `${attribute}_${statistic === 'UCOUNT' ? 'unique' : figure}`
}

/**
 * Asks for the latest whole interval, each time that one is over. Undefined where a name would not stand in a statement
 * as it is, or where the interval is longer than a day.
 */
export function alertOf(place: string, measured: Measured, figure: Figure): NewQuestion | undefined {
  const { groups, gran_s } = measured
  const column = columnOf(measured, figure)
  if (column === undefined || gran_s > 86_400 || ![column, ...groups].every((name) => /^\w+$/.test(name)))
    return undefined
  const view = `${place}_by_${gran_s}s${groups.map((name) => `__${name}`).join('')}`
  const sql = [
    `SELECT ${[...groups, 'interval_start', column].join(', ')}`,
    `FROM ${view}`,
    `WHERE interval_start > now() - ${2 * gran_s} AND interval_start <= now() - ${gran_s}`,
    `ORDER BY ${groups.length > 0 ? groups.join(', ') : 'interval_start'}`,
  ].join('\n')
  return { sql, language: 'sql', alert: { when: `${column} > `, key: groups, every: gran_s } }
}
