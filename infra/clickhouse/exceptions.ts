import { withInstead } from '../../sql/analysts/instead.ts'
import type { SqlQuery } from './analysts/sql-runner.ts'
import { ClickHouseError, clickHouseError } from './clickhouse.ts'

/** An exception of Weir's own, as ClickHouse words it. */
export const exception = (code: number, name: string, message: string): ClickHouseError =>
  new ClickHouseError(code, `Code: ${code}. DB::Exception: ${message}${message.endsWith('?') ? '' : '.'} (${name})`)

/**
 * ClickHouse's error without the clauses that Weir put behind the statement, and without guesses at names that are out
 * of reach.
 */
export function asAnalystsSee(error: unknown, reach: SqlQuery['reach']): ClickHouseError {
  const { code, message, cause } = clickHouseError(error)
  const ownClauses = /(?<!\s)\s*(?:INTO )?OUTFILE '\/[\s\S]*?(?=\. Expected|: While|: In scope|\. \(|$)/g
  const ownPlace = /\('\/[^']*'\): '\/[^']*' TRUNCATE[\s\S]*?(?=\. Expected|\. \(|$)/g
  const guess = /\.? Maybe you meant[^?\]]*(?:[?\]]|$)/g
  return new ClickHouseError(
    code,
    withInstead(reach ? message.replace(guess, '') : message)
      .replace(ownPlace, '(end of query)')
      .replace(ownClauses, '')
      .replace(/\((INTO|OUTFILE)\):/, '(end of query)'),
    cause,
  )
}
