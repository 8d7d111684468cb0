import { exception } from '../exceptions.ts'
import type { SqlQuery } from './sql-runner.ts'

export type OwnQuery = {
  readonly id: string
  readonly text: string
  /** Aborted where its owner ends it. */
  readonly signal: AbortSignal
  /** Resolves once it has left. */
  readonly gone: Promise<void>
  kill(): void
  /** The caller calls it once the query is over. */
  leave(): void
}

/** The queries that wait or run, for their owners: by the ids that clients gave them, which need not differ. */
export function createOwnQueries() {
  const all = new Map<string, Set<OwnQuery>>()
  const keyOf = ({ owner = '', id }: Pick<SqlQuery, 'owner' | 'id'>): string => `${owner}\n${id}`

  return {
    enter(query: SqlQuery, text: string): OwnQuery {
      const control = new AbortController()
      let resolve = (): void => {}
      const gone = new Promise<void>((settle) => {
        resolve = settle
      })
      const key = keyOf(query)
      const own: OwnQuery = {
        id: query.id,
        text,
        signal: control.signal,
        gone,
        kill: () => control.abort(exception(394, 'QUERY_WAS_CANCELLED', 'Query was cancelled')),
        leave() {
          const queries = all.get(key)
          queries?.delete(own)
          if (queries?.size === 0) all.delete(key)
          resolve()
        },
      }
      all.set(key, (all.get(key) ?? new Set()).add(own))
      return own
    },
    find: (query: Pick<SqlQuery, 'owner' | 'id'>): readonly OwnQuery[] => [...(all.get(keyOf(query)) ?? [])],
  }
}

export type OwnQueries = ReturnType<typeof createOwnQueries>
