import type { LogStore } from '../log-store.ts'
import { sendId } from '../payload.ts'
import { missing } from '../templates.ts'
import type { Timeline } from '../timeline.ts'
import { keyOf } from './endpoint-queues.ts'

const maxShown = 100
const day_us = 86_400_000_000

export type DeliveryListsDeps = {
  readonly store: Pick<LogStore, 'deliveries' | 'retries' | 'counts'>
  readonly timeline: Pick<Timeline, 'refresh' | 'current'>
}

/** The deliveries of a template and the number of sends, as clients see them. */
export function createDeliveryLists({ store, timeline }: DeliveryListsDeps) {
  return {
    /** The deliveries of a template since it was registered, newest first. */
    async of(id: string) {
      await timeline.refresh()
      const notifid = notifidOf(id)
      const template = timeline.current(notifid)
      if (template === undefined) throw missing(id)
      // Before the deliveries: of a try that ends between the two, its request would be gone and its result not there yet.
      const asked = new Map((await store.retries(notifid)).map((retry) => [keyOf(retry), retry.asked]))
      const found = await store.deliveries(notifid, template.registered, maxShown)
      const deliveries = found.map(({ delivery, state, status, error }) => {
        const retry = state === 'delivered' ? undefined : asked.get(keyOf(delivery))
        return {
          id: sendId(notifid, delivery.ts),
          endpoint: delivery.endpoint,
          state: retry === undefined ? state : ('pending' as const),
          tries: delivery.tries,
          status,
          error,
          next_try: retry ?? (delivery.nextTry === 0 ? null : delivery.nextTry),
        }
      })
      return { deliveries, num_deliveries: deliveries.length }
    },

    /** Days are those of UTC. */
    async counts() {
      const today = Math.floor((Date.now() * 1000) / day_us) * day_us
      const { total, day, before } = await store.counts(today)
      return { notif_count_total: total, notif_count_day: day, notif_count_prev_day: before }
    },
  }
}

/** The number that a path names; -1 where it is none. */
export const notifidOf = (id: string): number => (/^\d{1,16}$/.test(id) ? Number(id) : -1)

export type DeliveryLists = ReturnType<typeof createDeliveryLists>
