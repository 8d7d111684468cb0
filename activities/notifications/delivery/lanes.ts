import type { Delivery } from './delivery.ts'

/** The max deliveries of one endpoint that are held in memory; the rest of them are in ClickHouse. */
export const mostHeld = 1_000
/** The same, of all endpoints together. */
const mostHeldInAll = 100_000
/** Tries at once to an endpoint that answered well the last time; any other has one. */
const triesOfProven = 8
/** Tries at once to all endpoints of a kind: endpoints that are away take nothing from endpoints that are well. */
const mostTries = { proven: 128, unproven: 512 }

export type Lane = {
  readonly endpoint: string
  readonly waiting: Delivery[]
  readonly running: Set<Delivery>
  isProven: boolean
  /** ClickHouse has more than is held. */
  hasMore: boolean
}

/** Deliveries that wait, by endpoint. */
export function createLanes() {
  const lanes = new Map<string, Lane>()
  const tries = { proven: 0, unproven: 0 }
  let held = 0
  /** The kind that a try was counted among. */
  const kinds = new Map<Delivery, keyof typeof tries>()

  function laneOf(endpoint: string): Lane {
    const known = lanes.get(endpoint)
    if (known) return known
    const lane: Lane = { endpoint, waiting: [], running: new Set(), isProven: false, hasMore: false }
    lanes.set(endpoint, lane)
    return lane
  }

  /** The due delivery of the highest priority, and of several the one that has been due for longest. */
  function takeDue(lane: Lane, now_us: number): Delivery | undefined {
    let best: Delivery | undefined
    for (const each of lane.waiting) {
      if (each.nextTry > now_us) continue
      if (best === undefined || isBefore(each, best)) best = each
    }
    if (best) {
      lane.waiting.splice(lane.waiting.indexOf(best), 1)
      held--
    }
    return best
  }

  return {
    /** A delivery that finds no room stays in ClickHouse until there is. */
    add(delivery: Delivery): void {
      const lane = laneOf(delivery.endpoint)
      if (lane.hasMore || lane.waiting.length >= mostHeld || held >= mostHeldInAll) lane.hasMore = true
      else {
        lane.waiting.push(delivery)
        held++
      }
    },

    /** Takes an endpoint's deliveries from ClickHouse in place of those held here, but for `unwritten`, which have ended. */
    refill(endpoint: string, pending: readonly Delivery[], unwritten: ReadonlySet<string>): void {
      const lane = laneOf(endpoint)
      const busy = new Set([...lane.running].map(keyOf))
      const news = pending.filter((each) => !unwritten.has(keyOf(each)))
      const taken = news.filter((each) => !busy.has(keyOf(each)))
      lane.hasMore = pending.length >= mostHeld || news.length < pending.length
      held += taken.length - lane.waiting.length
      lane.waiting.splice(0, lane.waiting.length, ...taken)
    },

    /** The next try that may begin now; it counts as running. */
    next(now_us: number): Delivery | undefined {
      for (const lane of lanes.values()) {
        const kind = lane.isProven ? 'proven' : 'unproven'
        if (tries[kind] >= mostTries[kind] || lane.running.size >= (lane.isProven ? triesOfProven : 1)) continue
        const due = takeDue(lane, now_us)
        if (due === undefined) continue
        lane.running.add(due)
        tries[kind]++
        kinds.set(due, kind)
        // An endpoint that was served goes to the end of the line.
        lanes.delete(lane.endpoint)
        lanes.set(lane.endpoint, lane)
        return due
      }
      return undefined
    },

    ended(delivery: Delivery, isDelivered: boolean): void {
      const lane = laneOf(delivery.endpoint)
      lane.running.delete(delivery)
      lane.isProven = isDelivered
      const kind = kinds.get(delivery)
      if (kind) tries[kind]--
      kinds.delete(delivery)
      if (lane.waiting.length === 0 && lane.running.size === 0 && !lane.hasMore && !isDelivered)
        lanes.delete(lane.endpoint)
    },

    /** Endpoints with further deliveries in ClickHouse, and with room here. */
    wanting: (): string[] =>
      (held >= mostHeldInAll ? [] : [...lanes.values()])
        .filter(({ hasMore, waiting }) => hasMore && waiting.length < mostHeld / 2)
        .map(({ endpoint }) => endpoint),
  }
}

export const keyOf = ({ notifid, ts, place }: Delivery): string => `${notifid}:${ts}:${place}`

const isBefore = (a: Delivery, b: Delivery): boolean =>
  a.priority === b.priority ? a.nextTry < b.nextTry : a.priority < b.priority
