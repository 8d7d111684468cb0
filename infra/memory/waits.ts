import { isWaitSpace } from './spaces.ts'

/**
 * The waits of a space as the last commit has left them, in the order in which they came and in that of their times. The memory has
 * what each of them remembers, under the same key.
 */
export type WaitOrder = {
  readonly size: number
  /** In the order in which the waits were begun, or renewed; each with its time in microseconds. */
  oldest(): Iterable<readonly [key: string, pk: number]>
  /** Waits with the least times, in their order. */
  earliest(most: number): readonly (readonly [key: string, pk: number])[]
}

/** So many entries of the heap may be of waits that are over, beside as many as there are waits. */
const spare = 1_024

/** A binary heap of times with their keys. */
function createHeap() {
  let keys: string[] = []
  let times: number[] = []

  function swap(one: number, other: number): void {
    const [key = '', time = 0] = [keys[one], times[one]]
    keys[one] = keys[other] ?? ''
    times[one] = times[other] ?? 0
    keys[other] = key
    times[other] = time
  }

  const timeAt = (at: number): number => times[at] ?? Number.POSITIVE_INFINITY

  function sink(from: number): void {
    for (let at = from; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      const least = timeAt(right) < timeAt(left) ? right : left
      if (timeAt(least) >= timeAt(at)) return
      swap(least, at)
      at = least
    }
  }

  return {
    size: (): number => keys.length,
    push(key: string, time: number): void {
      let at = keys.push(key) - 1
      times.push(time)
      for (let above = (at - 1) >> 1; at > 0 && timeAt(above) > time; above = (at - 1) >> 1) {
        swap(at, above)
        at = above
      }
    },
    pop(): readonly [key: string, time: number] | undefined {
      const [key, time] = [keys[0], times[0]]
      if (key === undefined || time === undefined) return undefined
      swap(0, keys.length - 1)
      keys.pop()
      times.pop()
      sink(0)
      return [key, time]
    },
    /** Has these alone from now on. */
    fill(entries: ReadonlyMap<string, number>): void {
      keys = [...entries.keys()]
      times = [...entries.values()]
      for (let at = keys.length >> 1; at >= 0; at--) sink(at)
    },
  }
}

function createOrder() {
  /** By key, in the order in which they came. */
  const open = new Map<string, number>()
  /** Has an entry for each wait, and some of waits that are over. */
  const heap = createHeap()

  const order: WaitOrder = {
    get size(): number {
      return open.size
    },
    oldest: () => open,
    earliest(most) {
      const found: (readonly [key: string, pk: number])[] = []
      const seen = new Set<string>()
      while (found.length < most) {
        const next = heap.pop()
        if (next === undefined) break
        const [key, time] = next
        if (open.get(key) !== time || seen.has(key)) continue
        seen.add(key)
        found.push(next)
      }
      for (const [key, time] of found) heap.push(key, time)
      return found
    },
  }
  return {
    order,
    /** A commit has begun or renewed a wait, or has ended one, where `pk` is undefined. */
    committed(key: string, pk: number | undefined): void {
      if (pk === undefined) open.delete(key)
      else {
        const before = open.get(key)
        open.delete(key)
        open.set(key, pk)
        if (before !== pk) heap.push(key, pk)
      }
      if (heap.size() > 2 * open.size + spare) heap.fill(open)
    },
  }
}

export type OpenWaits = ReturnType<typeof createOrder>

const none: WaitOrder = { size: 0, oldest: () => [], earliest: () => [] }

/** The waits of all spaces, by the names of these. */
export function createWaits() {
  const spaces = new Map<string, OpenWaits>()
  return {
    /** Undefined where the space is none of waits. */
    of(space: string): OpenWaits | undefined {
      if (!isWaitSpace(space)) return undefined
      const known = spaces.get(space) ?? createOrder()
      spaces.set(space, known)
      return known
    },
    orderOf: (space: string): WaitOrder => spaces.get(space)?.order ?? none,
    /** Records of a space went without a change that asked for that. */
    gone: (space: string, key: string): void => spaces.get(space)?.committed(key, undefined),
    drop(space: string): void {
      spaces.delete(space)
    },
  }
}

export type Waits = ReturnType<typeof createWaits>
