/** `KILL QUERY WHERE query_id = '...'`, by which a client ends a query of its own. */
import { literal } from '../literal.ts'
import { isSymbol, isWord, oneStatement, plainValue, takeFormat } from './clauses.ts'
import { outputFormat } from './formats.ts'
import { firstWord, type Token, tokenize } from './lexer.ts'
import { denied, StatementRefusal } from './refusal.ts'
import type { AskedStatement } from './statement.ts'

/** `SYNC` waits until the query is gone; `TEST` shows the queries that would be ended. */
const modes = ['ASYNC', 'SYNC', 'TEST'] as const

export type Kill = { readonly queryId: string; readonly mode: (typeof modes)[number]; readonly format: string }

/** Undefined for a statement of another kind; throws a `StatementRefusal` for a KILL of other things. */
export function readKill({ text, format: usual, params }: Omit<AskedStatement, 'settings'>): Kill | undefined {
  if (firstWord(text) !== 'KILL') return undefined
  const { tokens, format: named } = takeFormat(oneStatement(tokenize(text)))
  const [, query, where, column, equals, ...rest] = tokens
  const isById = isWord(query, 'QUERY') && isWord(where, 'WHERE') && column?.name.toLowerCase() === 'query_id'
  const { id, length } = idOf(rest, params)
  const [word, ...more] = rest.slice(length)
  const mode = word === undefined ? 'ASYNC' : modes.find((one) => isWord(word, one))
  const isWhole = mode !== undefined && more.length === 0
  if (!isById || !(isSymbol(equals, '=') || isSymbol(equals, '==')) || id === undefined || !isWhole) {
    throw denied(
      "of KILL analysts may use KILL QUERY WHERE query_id = '<id>' [ASYNC | SYNC | TEST], for their own queries",
    )
  }
  return { queryId: id, mode, format: outputFormat(named ?? usual) }
}

/** A text, or `{name:String}`. */
function idOf(tokens: readonly Token[], params: Readonly<Record<string, string>>): { id?: string; length: number } {
  const [first, name, colon, type, close] = tokens
  if (first?.kind === 'string') return { id: plainValue(first), length: 1 }
  const isParameter = isSymbol(first, '{') && name?.kind === 'word' && isSymbol(colon, ':') && isWord(type, 'STRING')
  if (!isParameter || !isSymbol(close, '}')) return { length: 0 }
  const id = params[name.name]
  if (id !== undefined) return { id, length: 5 }
  throw new StatementRefusal(456, 'UNKNOWN_QUERY_PARAMETER', `Substitution \`${name.name}\` is not set`)
}

export type KilledRow = {
  readonly status: 'waiting' | 'finished' | 'unknown_status'
  readonly queryId: string
  readonly user: string
  readonly query: string
}

/** A statement that answers these rows as ClickHouse answers a KILL. */
export function killedRows(rows: readonly KilledRow[]): string {
  const values = rows.map((row) => {
    const texts = [row.status, row.queryId, row.user, row.query].map((text) => literal(text.toWellFormed(), 'String'))
    return `(${texts.join(', ')})`
  })
  const columns = 'kill_status String, query_id String, user String, query String'
  return `SELECT * FROM values(${[literal(columns, 'String'), ...values].join(', ')})`
}
