import type { States } from '../../../sql/schema/statistic-values.ts'
import type { Measure } from '../../../sql/schema/statistics.ts'
import { hopRetention, type Window } from '../../../sql/schema/windows.ts'
import type { Scalar } from '../../events/values.ts'
import type { Place } from './unique-count.ts'
import { type Hop, windowStatistics } from './window-statistics.ts'

/**
 * The value of a key over a window: the number of its latest hop, the generation of its ring, which few events change, and
 * the items of that hop, which most do. Null: nothing. The ring is a part of its own (`Place`): its generation, and of
 * each earlier hop the number and the items, the oldest first.
 */
type WindowState = readonly [latest: number, generation: number, ...hop: unknown[]] | null

/** A hop as ClickHouse has it: its start in microseconds, the merged states, and what those leave out. */
export type StoredHop = readonly [start: number, states: States, sketches: readonly string[]]

/** The memory has lost the ring of a row. */
export const forgotten = Symbol('forgotten')

const ringPart = 'hops'
/** Beyond it the oldest go: a key whose clock is ahead has hops of two times. */
const maxHops = 1_024

/** A value of a key over a window that is kept up event by event. A state is never changed in place. */
export type WindowCounter = {
  readonly empty: WindowState
  begin(hops: readonly StoredHop[], place: Place): unknown
  /** `time` of the event, and `now`, about when it came, in microseconds. Undefined where the ring is forgotten. */
  add(state: unknown, value: Scalar, place: Place, times: { readonly time: number; readonly now: number }): unknown
  /** The members of its value object at a time. */
  readonly members: Readonly<Record<string, (state: unknown, place: Place, time: number) => unknown>>
}

export function createWindowCounter(measure: Measure, window: Window, wanted: readonly string[]): WindowCounter {
  const statistics = windowStatistics(measure, wanted)
  const entry = 1 + statistics.width
  const hop_us = window.hop * 1e6
  const retention_us = hopRetention(window) * 1e6
  const hopOf = (time: number): number => Math.floor(time / hop_us)

  const ringAt = (place: Place, generation: number): Hop | undefined => {
    if (generation === 0) return none
    const found = place.value(ringPart) as Hop | undefined
    return found?.[0] === generation ? found : undefined
  }

  /** The ring with a hop in the place of the one of that number. Hops go that no question asks for. */
  function withHop(ring: Hop, number: number, hop: Hop, oldest: number): unknown[] {
    let at = ring.length
    while (at > entry && Number(ring[at - entry]) >= number) at -= entry
    const behind = ring[at] === number ? at + entry : at
    let from = 1
    while (from < at && Number(ring[from]) < oldest) from += entry
    const kept = ring.slice(from - 1, at)
    kept.push(number)
    for (const item of hop) kept.push(item)
    for (let next = behind; next < ring.length; next++) kept.push(ring[next])
    kept[0] = ring[0]
    const over = Math.max(0, (kept.length - 1) / entry - maxHops)
    if (over > 0) kept.splice(1, over * entry)
    return kept
  }

  function hopIn(ring: Hop, number: number): Hop | undefined {
    for (let at = ring.length - entry; at > 0; at -= entry)
      if (ring[at] === number) return ring.slice(at + 1, at + entry)
    return undefined
  }

  /** Keeps the ring; answers its generation. */
  function keepRing(place: Place, generation: number, ring: unknown[]): number {
    if (ring.length === 1) {
      if (generation !== 0) place.set(ringPart, undefined)
      return 0
    }
    const kept = generation === 0 ? place.seq : generation
    ring[0] = kept
    place.set(ringPart, ring)
    return kept
  }

  /** A time ahead of the clock, as it is of a device whose clock is fast, makes no hop old. */
  const oldestAt = (latest: number, now: number): number =>
    Math.min(hopOf(now), latest) - Math.ceil(retention_us / hop_us)

  /** Hops that were put together before: a list is never changed, so what was made of it stays true. */
  const folds = new WeakMap<Hop, { readonly first: number; readonly last: number; readonly fold: unknown }>()

  function foldOf(ring: Hop, first: number, last: number): unknown {
    if (ring.length <= 1) return undefined
    const known = folds.get(ring)
    if (known && known.first === first && known.last === last) return known.fold
    const places: number[] = []
    for (let at = 1; at < ring.length; at += entry) {
      const number = Number(ring[at])
      if (number >= first && number <= last) places.push(at + 1)
    }
    const fold = places.length === 0 ? undefined : statistics.fold(ring, places)
    folds.set(ring, { first, last, fold })
    return fold
  }

  type Read = { readonly state: unknown; readonly time: number; readonly fold: unknown; readonly open: Hop | undefined }
  let latestRead: Read | undefined

  /** The members of one event ask for the same state and time, one after the other, and a state is never changed in place. */
  function readAt(state: WindowState, place: Place, time: number): Read | undefined {
    if (state !== null && latestRead?.state === state && latestRead.time === time) return latestRead
    const [first, last] = [hopOf(time - window.length * 1e6 + 1), hopOf(time)]
    const known = state ?? nothing
    const latest = known[0]
    const ring = ringAt(place, known[1])
    if (ring === undefined) return undefined
    // Where the latest hop is the last one all others lie before it.
    const fold = foldOf(ring, first, latest === last ? Number.POSITIVE_INFINITY : last)
    latestRead = { state, time, fold, open: latest >= first && latest <= last ? known.slice(2) : undefined }
    return latestRead
  }

  return {
    empty: null,
    begin(hops, place) {
      const sorted = hops.toSorted(([a], [b]) => a - b)
      const last = sorted.at(-1)
      if (last === undefined) return null
      const oldest = oldestAt(hopOf(last[0]), place.now())
      const ring: unknown[] = [0]
      for (const [start, states, sketches] of sorted.slice(0, -1).slice(-maxHops))
        if (hopOf(start) >= oldest) ring.push(hopOf(start), ...statistics.from(states, sketches))
      return [hopOf(last[0]), keepRing(place, 0, ring), ...statistics.from(last[1], last[2])]
    },

    add(state, value, place, { time, now }) {
      const number = hopOf(time)
      const before = state as WindowState
      if (before === null) return stateOf(number, 0, statistics.add(undefined, value))
      const [latest, generation, hop] = [before[0], before[1], before.slice(2)]
      if (number === latest) return stateOf(latest, generation, statistics.add(hop, value))
      const ring = ringAt(place, generation)
      if (ring === undefined) return undefined
      const oldest = oldestAt(Math.max(latest, number), now)
      if (number > latest) {
        const kept = keepRing(place, generation, withHop(ring, latest, hop, oldest))
        return stateOf(number, kept, statistics.add(undefined, value))
      }
      if (number < oldest) return before
      const late = statistics.add(hopIn(ring, number), value)
      return [latest, keepRing(place, generation, withHop(ring, number, late, oldest)), ...hop]
    },

    members: Object.fromEntries(
      Object.entries(statistics.members).map(([name, read]) => [
        name,
        (state: unknown, place: Place, time: number): unknown => {
          const known = readAt(state as WindowState, place, time)
          return known ? read(known.fold, known.open) : forgotten
        },
      ]),
    ),
  }
}

const none: Hop = [0]
const nothing = [Number.NaN, 0] as const

const stateOf = (latest: number, generation: number, hop: Hop): unknown[] => {
  const state: unknown[] = [latest, generation]
  for (const item of hop) state.push(item)
  return state
}
