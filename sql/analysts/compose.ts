import { literal } from '../literal.ts'
import { assignments } from '../under-settings.ts'
import { denied } from './refusal.ts'
import { limits } from './settings.ts'
import { type AnalystStatement, checkFormatted } from './statement.ts'
import { listingFilters } from './tables.ts'
import { type Answer, checkTree } from './tree.ts'

/** The limits of reading a statement before it runs, whatever its client asks for. */
const reading = { ...limits, max_result_rows: 0, max_result_bytes: 0 }

/** Bring a new connection to a query's database and parameters. */
export const preparations = (database: string, params: Readonly<Record<string, string>>): string =>
  [
    `USE ${quoted(database)}`,
    `SET ${assignments(reading).join(', ')}`,
    ...Object.entries(params).map(([name, value]) => `SET param_${name} = ${literal(value, 'String')}`),
  ].join('; ')

/** The filters of a query, as ClickHouse takes them, and the comment by which the query is found. */
export function listed({ reach, filters: own }: AnalystStatement, comment: string): Readonly<Record<string, string>> {
  // ClickHouse takes the first that a table goes by: those of the listings come before a client's.
  const filters = [...Object.entries(listingFilters(reach)), ...(own?.tables ?? [])].map(
    ([table, filter]) => `${literal(table, 'String')}: ${literal(filter, 'String')}`,
  )
  return {
    log_comment: comment,
    additional_table_filters: `{${filters.join(', ')}}`,
    ...(own?.result !== undefined && { additional_result_filter: own.result }),
  }
}

/**
 * Set a connection to a query's settings, and to a comment by which the query is found. The last statement, `becomeBounded`,
 * keeps the query from lifting them by any clause: it has their limits as constraints.
 */
export function bounds(statement: AnalystStatement, comment: string, becomeBounded: string): string {
  const { additional_table_filters, ...texts } = listed(statement, comment)
  const all = [
    ...assignments({ ...statement.settings, ...texts }),
    `additional_table_filters = ${additional_table_filters}`,
  ]
  return `SET ${all.join(', ')}; ${becomeBounded}`
}

/** The statement that writes its answer to `place`; EXPLAIN would take these clauses into the statement that it explains. */
export const intoPlace = (statement: AnalystStatement, place: string): string =>
  statement.isExplain
    ? statement.text
    : `${statement.text} INTO OUTFILE ${literal(place, 'String')} TRUNCATE FORMAT ${statement.format}`

/**
 * Stands for the place of an answer while a statement is read before it runs: a statement in which the clause falls to
 * EXPLAIN itself writes its tree there, and is refused for the lack of one.
 */
const somewhere = '/dev/null'

const explained = 'EXPLAIN AST '

/** Asks ClickHouse how it reads a statement; nothing of it runs. */
export const explanation = (statement: AnalystStatement): string => `${explained}${intoPlace(statement, somewhere)}`

/** An error's message about an explanation, with the position in the statement itself. */
export const aboutStatement = (message: string): string =>
  message.replace(
    /(failed at position )(\d+)/,
    (_, begin, at) => `${begin}${Math.max(1, Number(at) - explained.length)}`,
  )

/** Asks for a statement as ClickHouse understands it and writes it anew. */
export const formatting = (statement: AnalystStatement): string =>
  `SELECT formatQuerySingleLine(${literal(intoPlace(statement, somewhere), 'String')})`

/** A statement as ClickHouse reads it: its tree, and its text written anew. */
export type Understood = { readonly tree: string; readonly formatted: string }

/** Refuses a statement that ClickHouse reads in another way than the fence did. */
export function checkUnderstood(statement: AnalystStatement, { tree, formatted }: Understood): void {
  const answer: Answer = { place: somewhere, format: statement.format }
  checkTree(tree, statement.isExplain ? undefined : answer, statement.reach, statement.calls)
  // It writes names of formats that are words of its own in backticks.
  const ends = [statement.format, `\`${statement.format}\``].map((format) =>
    intoPlace({ ...statement, text: '', format }, somewhere),
  )
  const end = ends.find((one) => formatted.endsWith(one))
  if (end === undefined) throw denied('ClickHouse reads another end in this statement')
  checkFormatted(formatted.slice(0, formatted.length - end.length), statement.reach, statement.calls)
}

function quoted(database: string): string {
  if (!/^\w{1,200}$/.test(database)) throw new Error(`${JSON.stringify(database.slice(0, 80))} is no database`)
  return `\`${database}\``
}
