/** Events of a request that its door refuses itself, before they would be lines of their stream. */
import type { Metrics } from '../../infra/metrics.ts'
import { maxEvents, type RefusedEvents, type RefusedPlace } from './refused-events.ts'

export type RefusalsDeps = {
  readonly refusedEvents: Pick<RefusedEvents, 'add' | 'count'>
  readonly metrics: Pick<Metrics, 'eventsRefused'>
}

/** `stream` and `of` are those of `RefusedEvents`. */
export function createRefusals({ refusedEvents, metrics }: RefusalsDeps, stream: string, of: object) {
  let count = 0
  let latest: { readonly reason: string; readonly body: Buffer; readonly place: RefusedPlace }[] = []
  return {
    /** Keeps the event for `settle`. It stands in `body` from `start` to `end`. */
    add(reason: string, body: Buffer, place: RefusedPlace): void {
      count++
      latest.push({ reason, body, place })
      if (latest.length >= 2 * maxEvents) latest = latest.slice(-maxEvents)
    },

    /** Lists and counts the events, once the request is answered: a sender repeats one that failed, and they would count twice. */
    settle(): void {
      if (count === 0) return
      const listed = latest.slice(-maxEvents)
      refusedEvents.count(stream, of, count - listed.length)
      for (const { reason, body, place } of listed) refusedEvents.add(stream, of, reason, body, place)
      metrics.eventsRefused.inc({ stream }, count)
    },
  }
}
