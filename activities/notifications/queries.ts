import { fault } from '../../base/faults.ts'
import type { QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import {
  compileNotificationCount,
  compileNotifications,
  type NotificationSource,
} from '../../sql/notification/select.ts'
import type { Statement } from '../../sql/query/index.ts'
import { collect, cutPage, pageBytesOf } from '../pages/continuation.ts'
import type { Cursors } from '../pages/cursors.ts'
import { type Page, rawNumber } from '../pages/page.ts'
import type { TableQuery } from '../tables/rows.ts'

type Of<Kind> = Extract<Statement, { kind: Kind }>

type NotificationRow = { readonly k: string; readonly s: string; readonly o: string; readonly v: string }

const pageRows = 1_000

const pageBytes = pageBytesOf(undefined)

const sizeOf = ({ k, v }: NotificationRow): number => k.length + Buffer.byteLength(v)

const behind = (rows: readonly NotificationRow[], after: string | undefined): string | undefined =>
  rows.at(-1)?.k ?? after

/** Answers SQL on definitions of notifications and on sends. */
export function createNotificationQueries(cursors: Cursors) {
  function positionOf({ cursor, lastKey, text }: TableQuery): string | undefined {
    if (cursor !== undefined) return cursors.open(cursor, text).key
    if (lastKey !== undefined && !/^-?\d{1,18}$/.test(lastKey)) {
      throw fault('invalid', 'levk: send the levk of the last answer, a number')
    }
    return lastKey
  }

  return {
    async rows(
      source: NotificationSource,
      { where, limit }: Of<'rows'>,
      query: TableQuery,
      on: QueryClickHouse,
    ): Promise<Page> {
      const after = positionOf(query)
      const max = Math.min(limit ?? pageRows, pageRows)
      if (max === 0) return { rows: [], more: false, switchDone: 0, plainRows: () => [] }
      const fetch = (behind: string | undefined, rows: number): Promise<NotificationRow[]> =>
        on.rows<NotificationRow>(
          compileNotifications(source, {
            limit: rows,
            ...(where && { where }),
            ...(behind !== undefined && { after: behind }),
          }),
        )
      const found = await collect(fetch, { after, behind, sizeOf, max: max + 1, pageBytes })
      const { shown, cut } = cutPage(found.slice(0, max), sizeOf, pageBytes)
      const more = cut || found.length > max
      const last = shown.at(-1)
      const valueOf = (row: NotificationRow): string => (source === 'notif' ? row.v : withState(row))
      return {
        rows: shown.map((row) => ({ k: rawNumber(row.k), v: valueOf(row) })),
        more,
        switchDone: 0,
        plainRows: () => shown.map(valueOf),
        ...(last && (limit !== undefined || more) && { lastKey: rawNumber(last.k) }),
        ...(where && { cursor: cursors.seal(last ? { key: last.k } : { end: '1' }, query.text) }),
      }
    },

    async count(source: NotificationSource, { where }: Of<'count'>, on: QueryClickHouse): Promise<number> {
      const [row] = await on.rows<{ count: number }>(compileNotificationCount(source, where))
      return Number(row?.count ?? 0)
    },
  }
}

export type NotificationQueries = ReturnType<typeof createNotificationQueries>

const withState = ({ v, s, o }: NotificationRow): string =>
  `${v.slice(0, -1)},"state":${s}${o === '[]' ? '' : `,"endpoints_off":${o}`}}`
