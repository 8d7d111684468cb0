import { writeJson } from '../../base/json.ts'
import type { Notification } from '../../sql/notification/decode.ts'
import type { Send } from './gather.ts'

/** The id of a send as its receivers see it: the same at each try, and for all endpoints. */
export const sendId = (notifid: number, ts: number): string => `ntf_${notifid}_${ts}`

/** Members of the send itself: a template's own of such a name are left out. */
const ofSend = new Set(['id', 'ts', 'notif_event', 'notif_events', 'count', 'dur', 'count_this_notif'])

const fieldsOf = (notification: Notification): string =>
  writeJson(Object.fromEntries(Object.entries(notification).filter(([name]) => !ofSend.has(name))))

/**
 * The JSON text that is stored and delivered. The events go in as they were written: their integers keep their digits. An
 * erasure takes out all between `notif_event` and `count`.
 */
export function payloadOf({ version: { notification }, gathered, total }: Send, ts: number): string {
  const { count, first, last, event, events = [event] } = gathered
  return [
    fieldsOf(notification).slice(0, -1),
    `"id":${JSON.stringify(sendId(notification.notifid, ts))}`,
    `"ts":${ts}`,
    `"notif_event":${event}`,
    ...(notification.freq > 0 ? [`"notif_events":[${events.join(',')}]`] : []),
    `"count":${count}`,
    `"dur":${(last - first) / 1_000_000}`,
    `"count_this_notif":${total}}`,
  ].join(',')
}
