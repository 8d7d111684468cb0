import { call } from '../api/client.ts'
import { printJson } from '../api/json.ts'
import { cursorOf, membersOf } from './cursor.ts'

export type QueryPage = {
  readonly rows: readonly { readonly k?: unknown; readonly v?: unknown }[]
  /** Where the next page begins; undefined on the last one. */
  readonly next: string | undefined
}

export type PageAsked = {
  readonly database: string
  readonly sql: string
  /** Empty for the first page. */
  readonly cursor?: string
  readonly signal: AbortSignal
}

/** A page of a query's rows. */
export async function queryPage({ database, sql, cursor = '', signal }: PageAsked): Promise<QueryPage> {
  const answer = await call('POST /db/{database}/query', {
    path: { database },
    body: printJson({ sql, ...membersOf(cursor) }),
    headers: { 'Content-Type': 'application/json' },
    signal,
  })
  if (typeof answer === 'string' || !('switch_done' in answer)) return { rows: [], next: undefined }
  return { rows: answer.rows, next: cursorOf(answer) }
}
