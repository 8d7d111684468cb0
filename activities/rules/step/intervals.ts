import type { RuleState } from '../../../infra/memory/state.ts'
import { type Moments, merge, momentsOf } from './moments.ts'
import { createPresence } from './presence.ts'

/** Intervals under one node, and nodes under one of the level above. */
const fanOut = 64
/** Intervals that are kept beyond those of the longest window, for events that come late. */
const spare = 10_000

/** Which intervals there are: how many, and the oldest of them. */
type Extent = readonly [count: number, oldest: number]

const extentKey = 'extent'
const nodeKey = (level: number, index: number): string => `${level}:${index}`

/** Levels of nodes above the intervals, so that a question about the longest window reads few hundred nodes at most. */
export const levelsFor = (longest_us: number, granularity: number): number =>
  Math.floor(Math.log(retained(longest_us, granularity)) / Math.log(fanOut))

const retained = (longest_us: number, granularity: number): number =>
  Math.ceil(longest_us / (granularity * 1e6)) + 1 + spare

/**
 * Moments of an attribute by intervals, in a hierarchy: a node has those of 64 intervals, the next level of 64 nodes. As
 * many of the latest intervals as the longest window has, and some more, are remembered.
 */
export function createIntervals(space: string, granularity: number, longest_us: number) {
  const length_us = granularity * 1e6
  const max = retained(longest_us, granularity)
  const sizes = Array.from({ length: levelsFor(longest_us, granularity) + 1 }, (_, level) => fanOut ** level)

  const presence = createPresence(space, Math.floor(Number.MAX_SAFE_INTEGER / length_us))

  const node = (state: RuleState, level: number, index: number): Moments | undefined =>
    state.value(space, nodeKey(level, index)) as Moments | undefined
  const extent = (state: RuleState): Extent => (state.value(space, extentKey) as Extent | undefined) ?? [0, 0]

  /** A node of which a part is forgotten is read no more, and goes with its last interval. */
  function forgetOldest(state: RuleState, [count, oldest]: Extent): Extent {
    const next = presence.nextFrom(state, oldest + 1)
    presence.remove(state, oldest)
    for (const [level, size] of sizes.entries()) {
      const index = Math.floor(oldest / size)
      if (next === undefined || index !== Math.floor(next / size)) state.set(space, nodeKey(level, index), undefined)
    }
    return next === undefined ? [0, 0] : [count - 1, next]
  }

  /** Counts a new interval in; false where it is older than all that are remembered. */
  function makeRoom(state: RuleState, index: number): boolean {
    let [count, oldest] = extent(state)
    if (count >= max && index < oldest) return false
    // More than one goes only where an edit has made the longest window shorter.
    for (let gone = 0; count >= max && gone < fanOut; gone++) [count, oldest] = forgetOldest(state, [count, oldest])
    presence.add(state, index)
    state.set(space, extentKey, [count + 1, count === 0 ? index : Math.min(index, oldest)])
    return true
  }

  function put(state: RuleState, interval: number, moments: Moments): void {
    if (node(state, 0, interval) === undefined && !makeRoom(state, interval)) return
    for (const [level, size] of sizes.entries()) {
      const index = Math.floor(interval / size)
      state.set(space, nodeKey(level, index), merge(node(state, level, index), moments))
    }
  }

  return {
    /** Intervals that are remembered at most. */
    max,
    add: (state: RuleState, time: number, value: number): void =>
      put(state, Math.floor(time / length_us), momentsOf(value)),
    /** Adds the moments of all values of an interval that begins at that time. */
    addInterval: (state: RuleState, begin: number, moments: Moments): void =>
      put(state, Math.floor(begin / length_us), moments),

    /** The moments over the intervals that overlap the time from `from` to `to`; undefined where those are empty. */
    over(state: RuleState, from: number, to: number): Moments | undefined {
      const [count, oldest] = extent(state)
      if (count === 0) return undefined
      const last = Math.floor(to / length_us)
      let interval = Math.max(Math.floor(from / length_us), oldest)
      let moments: Moments | undefined
      while (interval <= last) {
        let level = sizes.length - 1
        let size = sizes[level] ?? 1
        while (level > 0 && (interval % size !== 0 || interval + size - 1 > last)) size = sizes[--level] ?? 1
        const found = node(state, level, interval / size)
        if (found !== undefined) moments = merge(moments, found)
        interval += size
      }
      return moments
    },
  }
}

export type Intervals = ReturnType<typeof createIntervals>
