import type { Understood } from '../../../sql/analysts/compose.ts'
import { type Kill, killedRows } from '../../../sql/analysts/kill.ts'
import { StatementRefusal, syntaxError } from '../../../sql/analysts/refusal.ts'
import type { resultLimits } from '../../../sql/analysts/settings.ts'
import { type AnalystStatement, type AskedStatement, admit } from '../../../sql/analysts/statement.ts'
import { checkDatabase } from '../../../sql/analysts/tables.ts'
import { exception } from '../exceptions.ts'
import { wholeAnswer } from '../wire/whole-answer.ts'
import type { OwnQueries } from './own-queries.ts'
import type { SqlAnswer, SqlQuery } from './sql-runner.ts'

export const tooLarge = ({ rows, bytes }: ReturnType<typeof resultLimits>) =>
  exception(396, 'TOO_MANY_ROWS_OR_BYTES', `Limit for result exceeded, max rows: ${rows}, max bytes: ${bytes}`)
export const stopping = () => exception(210, 'NETWORK_ERROR', 'the service is stopping')

const killStatuses = { ASYNC: 'waiting', SYNC: 'finished', TEST: 'unknown_status' } as const

/** Ends the asker's queries of an id, and answers with them as ClickHouse does. */
export async function endQueries(
  queries: OwnQueries,
  { queryId, mode, format }: Kill,
  { owner = '' }: SqlQuery,
  ask: (text: string, format: string) => Promise<Buffer>,
): Promise<SqlAnswer> {
  const found = queries.find({ owner, id: queryId })
  if (mode !== 'TEST') for (const each of found) each.kill()
  if (mode === 'SYNC') await Promise.all(found.map(({ gone }) => gone))
  const rows = found.map(({ id, text }) => ({
    status: killStatuses[mode],
    queryId: id,
    user: owner || 'default',
    query: text,
  }))
  const bytes = rows.length === 0 ? Buffer.alloc(0) : await ask(killedRows(rows), format)
  return wholeAnswer(format, bytes)
}

const maxKept = { statements: 256, characters: 32_768 }

/** Keeps ClickHouse's parse of the latest statements: dashboards send the same ones again and again. */
export function createUnderstood() {
  const kept = new Map<string, Understood>()
  return async (text: string, ask: () => Promise<Understood>): Promise<Understood> => {
    const found = kept.get(text) ?? (await ask())
    kept.delete(text)
    if (found.tree.length + found.formatted.length + text.length <= maxKept.characters) kept.set(text, found)
    for (const oldest of kept.keys()) if (kept.size > maxKept.statements) kept.delete(oldest)
    return found
  }
}

/** Does `work`; a refusal becomes an exception as ClickHouse words it. */
export function refusing<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof StatementRefusal) throw exception(error.code, error.exception, error.message)
    throw error
  }
}

export function askedOf({ text, body, format, params, settings }: SqlQuery): AskedStatement {
  const rest = textOf(body)
  const whole = text !== '' && rest !== '' ? `${text}\n${rest}` : text + rest
  return { text: whole, format, params, settings }
}

export function admitted(
  { database, reach }: SqlQuery,
  asked: AskedStatement,
  known: ReadonlySet<string>,
): AnalystStatement {
  if (database !== undefined) checkDatabase(database, reach)
  return admit(asked, reach, known)
}

function textOf(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw syntaxError('the statement is no UTF-8')
  }
}
