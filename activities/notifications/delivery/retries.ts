import { fault } from '../../../base/faults.ts'
import type { Json } from '../../../base/json.ts'
import { decodeDeliveryName } from '../../../sql/notification/decode.ts'
import type { LogStore } from '../log-store.ts'
import { sendId } from '../payload.ts'
import { missing } from '../templates.ts'
import type { Timeline } from '../timeline.ts'
import { notifidOf } from './lists.ts'

export type RetriesDeps = {
  readonly store: Pick<LogStore, 'ofSend' | 'payload' | 'retries' | 'askRetry'>
  readonly timeline: Pick<Timeline, 'refresh' | 'current'>
  readonly now_us: () => number
  /** Tells the deliveries of this process that a try is asked for. */
  readonly wake: () => void
}

/**
 * Asks for a try of one delivery at once, one that waits or has failed for good. The process that delivers makes it; a
 * repeat before that try has begun asks for nothing more.
 */
export function createRetries({ store, timeline, now_us, wake }: RetriesDeps) {
  return async (id: string, wire: Json): Promise<string> => {
    const asked = now_us()
    const name = decodeDeliveryName(wire)
    await timeline.refresh()
    const notifid = notifidOf(id)
    const template = timeline.current(notifid)
    if (template === undefined) throw missing(id)
    const ts = timeOf(name.id, notifid)
    const sent = ts === undefined || ts < template.registered ? [] : await store.ofSend(notifid, ts)
    const listed = `GET /db/notification/${notifid}/deliveries lists them`
    if (ts === undefined || sent.length === 0) {
      throw fault('missing', `notification ${notifid} has no delivery of the send ${name.id.slice(0, 60)}; ${listed}`)
    }
    const told = sent.find(({ delivery }) => delivery.endpoint === name.endpoint)
    if (told === undefined) {
      throw fault('missing', `${name.id} has no delivery to ${name.endpoint.slice(0, 200)}; ${listed}`)
    }
    if (told.state === 'delivered')
      throw fault('conflict', `${name.id} is delivered to ${name.endpoint}: nothing to try again`)
    const { delivery } = told
    if ((await store.payload(delivery)) === undefined) {
      throw fault('missing', `${name.id} is not kept any more: nothing is there to deliver`)
    }
    const open = (await store.retries(notifid)).some(({ ts, place }) => ts === delivery.ts && place === delivery.place)
    if (!open) await store.askRetry(delivery, asked)
    wake()
    return `${name.id} is tried now`
  }
}

export type Retries = ReturnType<typeof createRetries>

/** The time of a send of the notification that `id` names. */
function timeOf(id: string, notifid: number): number | undefined {
  const [, time] = /_(\d{1,16})$/.exec(id) ?? []
  return time !== undefined && id === sendId(notifid, Number(time)) ? Number(time) : undefined
}
