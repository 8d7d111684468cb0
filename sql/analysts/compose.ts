import { literal } from '../literal.ts'
import { assignments } from '../under-settings.ts'
import type { AnalystStatement } from './statement.ts'
import { listingFilters } from './tables.ts'

/** The statements that bring a connection to a query's database and parameters. */
export const preparations = (database: string, params: Readonly<Record<string, string>>): string[] => [
  `USE ${quoted(database)}`,
  ...Object.entries(params).map(([name, value]) => `SET param_${name} = ${literal(value, 'String')}`),
]

/** The statement that writes its answer to `place`, under its settings and under `comment`, by which it can be found. */
export const intoPlace = (statement: AnalystStatement, place: string, comment: string): string =>
  [
    statement.text,
    `${intoOutfile} ${literal(place, 'String')} TRUNCATE`,
    `FORMAT ${statement.format}`,
    settingsClause(statement, comment),
  ].join(' ')

/** Where what Weir adds to a statement begins. */
const intoOutfile = 'INTO OUTFILE'

/** EXPLAIN AST shows a SETTINGS clause as part of the tree, and runs nothing. */
export const explanation = (statement: AnalystStatement, comment: string): string =>
  /^EXPLAIN\s+AST\b/i.test(statement.text) ? statement.text : `${statement.text} ${settingsClause(statement, comment)}`

function settingsClause({ settings, reach }: AnalystStatement, comment: string): string {
  const filters = Object.entries(listingFilters(reach)).map(
    ([table, filter]) => `${literal(table, 'String')}: ${literal(filter, 'String')}`,
  )
  return `SETTINGS ${[
    ...assignments(settings),
    `log_comment = ${literal(comment, 'String')}`,
    `additional_table_filters = {${filters.join(', ')}}`,
  ].join(', ')}`
}

function quoted(database: string): string {
  if (!/^\w{1,200}$/.test(database)) throw new Error(`${JSON.stringify(database.slice(0, 80))} is no database`)
  return `\`${database}\``
}
