import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'

export type NotificationRecord = { readonly body: string; readonly state: -1 | 0 | 1 }

/** Definitions of notifications, in ClickHouse. The latest version of a row is the one that counts; -1 is none. */
export function createNotificationStore(clickhouse: ClickHouse, now_us: () => number) {
  return {
    async find(notifid: number): Promise<NotificationRecord | undefined> {
      const [row] = await clickhouse.rows<NotificationRecord>({
        text: 'SELECT body, state FROM weir.notifications FINAL WHERE notifid = {notifid:Int64} AND state >= 0',
        params: { notifid },
      })
      return row
    },

    put: (notifid: number, { body, state }: NotificationRecord): Promise<void> =>
      clickhouse.run({
        text: 'INSERT INTO weir.notifications SELECT {notifid:Int64}, {body:String}, {state:Int64}, {version:UInt64}',
        params: { notifid, body, state, version: now_us() },
      }),
  }
}

export type NotificationStore = ReturnType<typeof createNotificationStore>
