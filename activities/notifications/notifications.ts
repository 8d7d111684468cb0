import { fault } from '../../infra/faults.ts'
import type { Json } from '../../infra/json.ts'
import { createMutex } from '../../infra/mutex.ts'
import { decodeNotification, decodeNotificationState, type NotificationState } from '../../sql/notification/decode.ts'
import type { NotificationStore } from './store.ts'

/** ClickHouse bounds a statement at 256 KB. */
const mostBytes = 100_000
const states = { paused: 0, active: 1, remove: -1 } as const satisfies Record<NotificationState, -1 | 0 | 1>

/** Definitions of notifications: interface 4.16, decisions 9. */
export function createNotifications(store: NotificationStore) {
  const exclusively = createMutex()

  return {
    /** The same `notifid` replaces, and keeps its state. */
    register: (wire: Json): Promise<string> =>
      exclusively(async () => {
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
      exclusively(async () => {
        const { notifid, state } = decodeNotificationState(wire)
        const present = await store.find(notifid)
        if (!present)
          throw fault('missing', `no notification ${notifid}; select * from reg_notif tells which there are`)
        await store.put(notifid, { body: present.body, state: states[state] })
        return `notification ${notifid} is ${state === 'remove' ? 'removed' : state}`
      }),
  }
}

export type Notifications = ReturnType<typeof createNotifications>
