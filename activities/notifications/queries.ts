import type { QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import { fault } from '../../infra/faults.ts'
import {
  compileNotificationCount,
  compileNotifications,
  type NotificationSource,
} from '../../sql/notification/select.ts'
import type { Statement } from '../../sql/query/index.ts'
import type { Cursors } from '../queries/cursors.ts'
import { type Page, rawNumber } from '../queries/page.ts'
import type { TableQuery } from '../tables/rows.ts'

export type NotificationQueriesDeps = { readonly clickhouse: QueryClickHouse; readonly cursors: Cursors }

type Of<Kind> = Extract<Statement, { kind: Kind }>

const pageRows = 1_000

/** Answers SQL on definitions of notifications and on what was sent. */
export function createNotificationQueries({ clickhouse, cursors }: NotificationQueriesDeps) {
  function positionOf({ cursor, lastKey, text }: TableQuery): string | undefined {
    if (cursor !== undefined) return cursors.open(cursor, text).key
    if (lastKey !== undefined && !/^-?\d{1,18}$/.test(lastKey)) {
      throw fault('invalid', 'levk: send the levk of the last answer, a number')
    }
    return lastKey
  }

  return {
    async rows(source: NotificationSource, { where, limit }: Of<'rows'>, query: TableQuery): Promise<Page> {
      const after = positionOf(query)
      const most = Math.min(limit ?? pageRows, pageRows)
      if (most === 0) return { rows: [], more: false, switchDone: 0 }
      const found = await clickhouse.rows<{ k: string; s: string; v: string }>(
        compileNotifications(source, {
          limit: most + 1,
          ...(where && { where }),
          ...(after !== undefined && { after }),
        }),
      )
      const shown = found.slice(0, most)
      const more = found.length > most
      const last = shown.at(-1)
      return {
        rows: shown.map(({ k, s, v }) => ({ k: rawNumber(k), v: source === 'notif' ? v : withState(v, s) })),
        more,
        switchDone: 0,
        ...(last && (limit !== undefined || more) && { lastKey: rawNumber(last.k) }),
        ...(where && { cursor: cursors.seal(last ? { key: last.k } : { end: '1' }, query.text) }),
      }
    },

    async count(source: NotificationSource, { where }: Of<'count'>): Promise<number> {
      const [row] = await clickhouse.rows<{ count: number }>(compileNotificationCount(source, where))
      return Number(row?.count ?? 0)
    },
  }
}

export type NotificationQueries = ReturnType<typeof createNotificationQueries>

const withState = (body: string, state: string): string => `${body.slice(0, -1)},"state":${state}}`
