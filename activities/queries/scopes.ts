import { isNotificationSource } from '../../sql/notification/select.ts'
import { type Statement, sourceOf } from '../../sql/query/index.ts'
import type { Place } from '../keys/places.ts'
import type { Scope } from '../keys/scopes.ts'

/** The scopes that a statement needs, all of them, and the place where it is at work; usage and notifications are in none. */
export type StatementNeed = { readonly scopes: readonly Scope[]; readonly place: Place | undefined }

const scopes = {
  rows: 'read',
  count: 'read',
  aggregate: 'read',
  usage: 'read',
  insert: 'write',
  update: 'write',
  delete: 'write',
} as const satisfies Record<Statement['kind'], Scope>

/** `database` is the one in the path, for names without any; `isDatabase` tells one of tables from a schema. */
export function needOf(statement: Statement, database: string, isDatabase: (name: string) => boolean): StatementNeed {
  const place = placeOf(statement, database, isDatabase)
  const isErasure = statement.kind === 'delete' && place?.startsWith('schema:')
  return { scopes: isErasure ? ['write', 'define'] : [scopes[statement.kind]], place }
}

function placeOf(statement: Statement, database: string, isDatabase: (name: string) => boolean): Place | undefined {
  if (statement.kind === 'usage') return undefined
  const { schema, name } = sourceOf(statement)
  if (schema !== undefined) return isDatabase(schema) ? `db:${schema}` : `schema:${schema}`
  const isReading = statement.kind === 'rows' || statement.kind === 'count'
  return isReading && isNotificationSource(name) ? undefined : `db:${database}`
}
