import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import { fault } from '../../infra/faults.ts'
import type { NotificationStore } from '../../infra/notification-store.ts'
import { decodeNotification, decodeNotificationState, type NotificationState } from '../../sql/notification/decode.ts'
import {
  compileNotificationCount,
  compileNotifications,
  type NotificationSource,
} from '../../sql/notification/select.ts'
import type { Statement } from '../../sql/query/index.ts'
import type { Json } from '../ingest/json.ts'
import type { Cursors } from './cursors.ts'
import { type Page, rawNumber } from './rows.ts'
import type { TableQuery } from './table-rows.ts'

export type NotificationsDeps = {
  readonly clickhouse: ClickHouse
  readonly store: NotificationStore
  readonly cursors: Cursors
}

type Of<Kind> = Extract<Statement, { kind: Kind }>

const pageRows = 1_000
/** ClickHouse bounds a statement at 256 KB. */
const mostBytes = 100_000
const states = { paused: 0, active: 1, remove: -1 } as const satisfies Record<NotificationState, -1 | 0 | 1>

/** Definitions of notifications: interface 4.16, decisions 9. */
export function createNotifications({ clickhouse, store, cursors }: NotificationsDeps) {
  let turn: Promise<unknown> = Promise.resolve()

  /** One change at a time. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const mine = turn.then(work)
    turn = mine.catch(() => {})
    return mine
  }

  function positionOf({ cursor, lastKey, text }: TableQuery): string | undefined {
    if (cursor !== undefined) return cursors.open(cursor, text).key
    if (lastKey !== undefined && !/^-?\d{1,18}$/.test(lastKey)) {
      throw fault('invalid', 'levk: send the levk of the last answer, a number')
    }
    return lastKey
  }

  return {
    /** The same `notifid` replaces, and keeps its state. */
    register: (wire: Json): Promise<string> =>
      inTurn(async () => {
        const notification = decodeNotification(wire)
        const { notifid } = notification
        const body = JSON.stringify(notification)
        if (Buffer.byteLength(body) > mostBytes) {
          throw fault('invalid', `the notification has over ${mostBytes} bytes; shorten its texts`)
        }
        const present = await store.find(notifid)
        await store.put(notifid, { body, state: present?.state ?? 1 })
        return `notification ${notifid} is ${present ? 'replaced' : 'registered'}`
      }),

    setState: (wire: Json): Promise<string> =>
      inTurn(async () => {
        const { notifid, state } = decodeNotificationState(wire)
        const present = await store.find(notifid)
        if (!present)
          throw fault('missing', `no notification ${notifid}; select * from reg_notif tells which there are`)
        await store.put(notifid, { body: present.body, state: states[state] })
        return `notification ${notifid} is ${state === 'remove' ? 'removed' : state}`
      }),

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

export type Notifications = ReturnType<typeof createNotifications>

const withState = (body: string, state: string): string => `${body.slice(0, -1)},"state":${state}}`
