import { machineMemory } from '../../base/memory.ts'
import type { Config } from '../config.ts'
import { type ByteBudget, createByteBudget } from './byte-budget.ts'

/** The bytes of one request's body: from before they are read until the request is answered. */
export type BodyHold = {
  /** Undefined where there is room at once; a closed hold takes none. */
  take(bytes: number): Promise<void> | undefined
  /** Whether other requests wait for the room that it holds. */
  isWanted(): boolean
  close(): void
}

const megabyte = 1024 * 1024
/** Bodies up to this size have a share of their own: large or slow ones keep no event and no query waiting. */
const smallBody = megabyte
const smallShare = 1 / 4
/** Queries have a share of their own too: events that wait for an edit, or for a disk, keep no query waiting. */
const queryShare = 1 / 8
/**
 * Max part of a share that the requests of one place hold, unless a single request is larger: requests of other places
 * find room beside them.
 */
const placeShare = 3 / 4
const patience_ms = 15_000
const setting = 'MAX_BODIES_MB'

/** In work a body takes some fifteen times its size: this is the most, where memory does not make it less. */
const usualBytes = 64 * megabyte
const shareOfMemory = 1 / 24

export const bodyBytes = ({ MAX_BODIES_MB: set }: Pick<Config, 'MAX_BODIES_MB'>): number =>
  set === undefined ? Math.min(usualBytes, machineMemory() * shareOfMemory) : set * megabyte

/**
 * Bounds the memory that lines made of bodies take beyond the bodies' size. No request waits for it: where there is no
 * room, fewer lines are made at a time.
 */
export const createLineBudget = (config: Pick<Config, 'MAX_BODIES_MB'>): ByteBudget =>
  createByteBudget(bodyBytes(config), patience_ms, setting)

/** The use of a request: `place` is the thing that it writes to, the schema of events or the database of records. */
export type BodyUse = { readonly isQuery?: boolean; readonly place?: string }

type Shares = { readonly small: ByteBudget; readonly large: ByteBudget }

const shares = (small: number, large: number): Shares => ({
  small: createByteBudget(small, patience_ms, setting),
  large: createByteBudget(large, patience_ms, setting),
})

/**
 * Takes room of the first, then as much of the second. A request that waits for the first holds nothing of the second.
 */
function both(first: ByteBudget, second: ByteBudget) {
  const [ofFirst, ofSecond] = [{ bytes: 0 }, { bytes: 0 }]
  let isClosed = false
  return {
    isHeld: (): boolean => ofFirst.bytes > 0,
    holds: (): number => ofFirst.bytes,
    isWanted: (): boolean => ofFirst.bytes > 0 && (first.isWanted() || second.isWanted()),
    take(bytes: number): Promise<void> | undefined {
      const soon = first.take(ofFirst, bytes)
      if (!soon) return second.take(ofSecond, bytes)
      return soon.then(() => (isClosed ? undefined : second.take(ofSecond, bytes)))
    },
    close(): void {
      isClosed = true
      first.give(ofFirst)
      second.give(ofSecond)
    },
  }
}

/** Bounds the bodies that are in work at a time, by their bytes. */
export function createBodyBudget(max: number) {
  const [smallBytes, queryBytes] = [max * smallShare, max * queryShare]
  const largeBytes = max - smallBytes - queryBytes
  const all = shares(smallBytes, largeBytes)
  const ofQueries = createByteBudget(queryBytes, patience_ms, setting)
  const unbounded = createByteBudget(Number.POSITIVE_INFINITY, patience_ms, setting)
  /** The places whose requests are under way. */
  const places = new Map<string, { readonly own: Shares; requests: number }>()

  function enter(place: string): Shares {
    const known = places.get(place) ?? {
      own: shares(smallBytes * placeShare, largeBytes * placeShare),
      requests: 0,
    }
    places.set(place, known)
    known.requests++
    return known.own
  }

  function leave(place: string): void {
    const known = places.get(place)
    if (known && --known.requests === 0) places.delete(place)
  }

  return {
    open({ isQuery = false, place = '' }: BodyUse = {}): BodyHold {
      const own = enter(place)
      const few = isQuery ? both(ofQueries, unbounded) : both(own.small, all.small)
      const many = both(own.large, all.large)
      let isClosed = false
      return {
        take(bytes) {
          if (isClosed) return undefined
          return !many.isHeld() && few.holds() + bytes <= smallBody ? few.take(bytes) : many.take(bytes)
        },
        isWanted: () => few.isWanted() || many.isWanted(),
        close(): void {
          if (isClosed) return
          isClosed = true
          few.close()
          many.close()
          leave(place)
        },
      }
    },
  }
}

export type BodyBudget = ReturnType<typeof createBodyBudget>
