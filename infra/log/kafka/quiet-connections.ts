import { createRequire } from 'node:module'

/** The part of kafkajs that has the requests of one connection. */
type RequestQueue = {
  readonly pending: readonly unknown[]
  /** Milliseconds since 1970; less than now where the broker holds nothing back. */
  readonly throttledUntil: number
  scheduleCheckPendingRequests(): void
}

let isQuiet = false

/**
 * Keeps connections of kafkajs 2.2.4 from waking the process a thousand times a second, each: behind an answer it looks once more whether a
 * request waits, by a timer until the end of a throttling that is none, and that look sets the next timer. Here a look is set
 * where a request waits or the broker throttles. A request that comes later sets its own.
 */
export function quietConnections(): void {
  if (isQuiet) return
  isQuiet = true
  const queue: { readonly prototype: RequestQueue } = createRequire(import.meta.url)(
    'kafkajs/src/network/requestQueue/index.js',
  )
  const schedule = queue.prototype.scheduleCheckPendingRequests
  queue.prototype.scheduleCheckPendingRequests = function scheduleWhereNeeded(this: RequestQueue): void {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) schedule.call(this)
  }
}
