import { type Delivery, type DeliveryKey, pauseAfter_us } from './delivery.ts'

/** The max deliveries of one endpoint that are held in memory; the rest of them are in ClickHouse. */
export const maxHeld = 1_000
/** The same, of all endpoints together. */
const maxHeldInAll = 100_000
/** Tries at once to an endpoint that answered well the last time; any other has one. */
const triesOfProven = 8
/** Tries at once to all endpoints of a kind: endpoints that are away take nothing from endpoints that are well. */
const maxTries = { proven: 128, unproven: 512 }

/** An endpoint that answered nothing well for this long was away: a single delivery that it does not take says less. */
const outage_us = 60_000_000

export type EndpointQueue = {
  readonly endpoint: string
  readonly waiting: Delivery[]
  readonly running: Set<Delivery>
  isProven: boolean
  /** Since when no try has ended well. */
  failing_us?: number
  /** When it answered well after it had not for a while. */
  recovered_us?: number
  /** ClickHouse has more than is held. */
  hasMore: boolean
}

/** Deliveries that wait, by endpoint. */
export function createEndpointQueues() {
  const queues = new Map<string, EndpointQueue>()
  const tries = { proven: 0, unproven: 0 }
  let held = 0
  /** The kind that a try was counted among. */
  const kinds = new Map<Delivery, keyof typeof tries>()

  function queueOf(endpoint: string): EndpointQueue {
    const known = queues.get(endpoint)
    if (known) return known
    const queue: EndpointQueue = { endpoint, waiting: [], running: new Set(), isProven: false, hasMore: false }
    queues.set(endpoint, queue)
    return queue
  }

  /** The due delivery of the highest priority, and of several the one that has been due for longest. */
  function takeDue(queue: EndpointQueue, now_us: number): Delivery | undefined {
    let best: Delivery | undefined
    for (const each of queue.waiting) {
      if (each.nextTry > now_us && !isForgiven(each, queue)) continue
      if (best === undefined || isBefore(each, best)) best = each
    }
    if (best) {
      queue.waiting.splice(queue.waiting.indexOf(best), 1)
      held--
    }
    return best
  }

  return {
    /** A delivery that finds no room stays in ClickHouse until there is. */
    add(delivery: Delivery): void {
      const queue = queueOf(delivery.endpoint)
      if (queue.hasMore || queue.waiting.length >= maxHeld || held >= maxHeldInAll) queue.hasMore = true
      else {
        queue.waiting.push(delivery)
        held++
      }
    },

    /** Puts a delivery before all others of its endpoint, whether it waited or not; one that is under way stays as it is. */
    hasten(delivery: Delivery): void {
      const queue = queueOf(delivery.endpoint)
      const key = keyOf(delivery)
      if ([...queue.running].some((each) => keyOf(each) === key)) return
      const waiting = queue.waiting.findIndex((each) => keyOf(each) === key)
      if (waiting === -1) held++
      else queue.waiting.splice(waiting, 1)
      queue.waiting.push(delivery)
    },

    /** Takes an endpoint's deliveries from ClickHouse in place of those held here, but for `unwritten`, which have ended. */
    refill(endpoint: string, pending: readonly Delivery[], unwritten: ReadonlySet<string>): void {
      const queue = queueOf(endpoint)
      const busy = new Set([...queue.running].map(keyOf))
      const news = pending.filter((each) => !unwritten.has(keyOf(each)))
      const taken = news.filter((each) => !busy.has(keyOf(each)))
      queue.hasMore = pending.length >= maxHeld || news.length < pending.length
      held += taken.length - queue.waiting.length
      queue.waiting.splice(0, queue.waiting.length, ...taken)
    },

    /** The next try that may begin now; it counts as running. */
    next(now_us: number): Delivery | undefined {
      for (const queue of queues.values()) {
        const kind = queue.isProven ? 'proven' : 'unproven'
        if (tries[kind] >= maxTries[kind] || queue.running.size >= (queue.isProven ? triesOfProven : 1)) continue
        const due = takeDue(queue, now_us)
        if (due === undefined) continue
        queue.running.add(due)
        tries[kind]++
        kinds.set(due, kind)
        // An endpoint that was served goes to the end of the line.
        queues.delete(queue.endpoint)
        queues.set(queue.endpoint, queue)
        return due
      }
      return undefined
    },

    ended(delivery: Delivery, isDelivered: boolean, now_us: number): void {
      const queue = queueOf(delivery.endpoint)
      queue.running.delete(delivery)
      if (!isDelivered) queue.failing_us ??= now_us
      else {
        if (now_us - (queue.failing_us ?? now_us) >= outage_us) queue.recovered_us = now_us
        delete queue.failing_us
      }
      queue.isProven = isDelivered
      const kind = kinds.get(delivery)
      if (kind) tries[kind]--
      kinds.delete(delivery)
      if (queue.waiting.length === 0 && queue.running.size === 0 && !queue.hasMore && !isDelivered)
        queues.delete(queue.endpoint)
    },

    /** Endpoints with further deliveries in ClickHouse, and with room here. */
    wanting: (): string[] =>
      (held >= maxHeldInAll ? [] : [...queues.values()])
        .filter(({ hasMore, waiting }) => hasMore && waiting.length < maxHeld / 2)
        .map(({ endpoint }) => endpoint),
  }
}

/** Whether a delivery failed before its endpoint answered well again: it need not wait out the pause that grew meanwhile. */
const isForgiven = ({ tries, nextTry }: Delivery, { isProven, recovered_us }: EndpointQueue): boolean =>
  isProven && recovered_us !== undefined && tries > 0 && nextTry - pauseAfter_us(tries) < recovered_us

export const keyOf = ({ notifid, ts, place }: DeliveryKey): string => `${notifid}:${ts}:${place}`

/** A retry that a client asked for goes first; among them, the earliest request. */
const isBefore = (a: Delivery, b: Delivery): boolean =>
  rankOf(a) === rankOf(b) ? a.nextTry < b.nextTry : rankOf(a) < rankOf(b)

const rankOf = ({ asked, priority }: Delivery): number => (asked === undefined ? priority : -1)
