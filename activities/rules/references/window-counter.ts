import type { States } from '../../../sql/schema/statistic-values.ts'
import type { Measure } from '../../../sql/schema/statistics.ts'
import { hopRetention, type Window } from '../../../sql/schema/windows.ts'
import type { Scalar } from '../../events/values.ts'
import { eachHop, type HopRange, hopText } from './hop-text.ts'
import type { Place } from './unique-count.ts'
import { createRings, maxBlock, noRing, type Ring } from './window-ring.ts'
import { type Hop, windowStatistics } from './window-statistics.ts'

/**
 * The value of a key over a window; null: nothing. Its members, in this order:
 *
 * - the number of its latest hop, and the generation of its ring;
 * - the items of that hop, which most events change;
 * - the number of the first hop behind the ring, and the hops from there on as a text: fewer than a block of the ring has,
 *   so that few events change it;
 * - how many hops before the latest one the window began when it was last read, and the hops from there on before the
 *   latest one as one, if there are any: most events read no other hop.
 *
 * Where the last ones are not known they are not there, and nor are those before where there is no hop behind the ring: a
 * state of Weir 0.1 has the first three alone.
 */
type WindowState = readonly [latest: number, generation: number, ...rest: unknown[]]

/** A hop as ClickHouse has it: its start in microseconds, the merged states, and what those leave out. */
export type StoredHop = readonly [start: number, states: States, sketches: readonly string[]]

/** The memory has lost the ring of a row. */
export const forgotten = Symbol('forgotten')

/** A value of a key over a window that is kept up event by event. A state is never changed in place. */
export type WindowCounter = {
  readonly empty: null
  begin(hops: readonly StoredHop[], place: Place): unknown
  /** `time` of the event, and `now`, about when it came, in microseconds. Undefined where the ring is forgotten. */
  add(state: unknown, value: Scalar, place: Place, times: { readonly time: number; readonly now: number }): unknown
  /** The members of its value object at a time. */
  readonly members: Readonly<Record<string, (state: unknown, place: Place, time: number) => unknown>>
}

/** The hops of a window from `first` on at a time: those before the latest one of a state, put together, and that one. */
type Read = {
  readonly state: WindowState
  readonly time: number
  readonly first: number
  readonly fold: unknown
  readonly open: Hop | undefined
}

export function createWindowCounter(measure: Measure, window: Window, wanted: readonly string[]): WindowCounter {
  const statistics = windowStatistics(measure, wanted)
  const { width, merge } = statistics
  const entry = 1 + width
  const rings = createRings(statistics)
  // The places of the members of a state.
  const startAt = 2 + width
  const youngAt = startAt + 1
  const backAt = startAt + 2
  const closedAt = startAt + 3
  const hop_us = window.hop * 1e6
  const retention_us = hopRetention(window) * 1e6
  const hopOf = (time: number): number => Math.floor(time / hop_us)

  const openOf = (state: WindowState): Hop => state.slice(2, startAt)
  const startOf = (state: WindowState): number => (state[startAt] as number | undefined) ?? state[0]
  const youngOf = (state: WindowState): string => (state[youngAt] as string | undefined) ?? ''

  /** The ring, which may be empty; undefined where the memory has forgotten it. */
  const ringAt = (state: WindowState, place: Place): Ring | undefined => rings.at(place, state[1], startOf(state))

  /** A time ahead of the clock, as it is of a device whose clock is fast, makes no hop old. */
  const oldestAt = (latest: number, now: number): number =>
    Math.min(hopOf(now), latest) - Math.ceil(retention_us / hop_us)

  /** The hops of a ring and of a text behind it that were put together before, where that takes long. */
  const folds = new WeakMap<Ring, { readonly range: HopRange; readonly young: string; readonly fold: unknown }>()

  /** The hops from `first` to `last` before the latest one; `forgotten` where the memory has forgotten some. */
  function foldOf(state: WindowState, place: Place, first: number, last: number): unknown {
    const back = state[backAt]
    if (back !== undefined && first === state[0] - Number(back) && last >= state[0])
      return state.length > closedAt ? merge?.(undefined, state, closedAt) : undefined
    const ring = ringAt(state, place)
    if (ring === undefined) return forgotten
    const range = { first, last, width }
    if (merge || ring === noRing) return foldFrom(ring, state, range)
    const young = youngOf(state)
    const known = folds.get(ring)
    if (known && known.range.first === first && known.range.last === last && known.young === young) return known.fold
    const fold = foldFrom(ring, state, range)
    folds.set(ring, { range, young, fold })
    return fold
  }

  function foldFrom(ring: Ring, state: WindowState, range: HopRange): unknown {
    const young = { start: startOf(state), text: youngOf(state) }
    if (merge) {
      let fold: unknown
      const add = (hops: Hop, at: number): void => {
        fold = merge(fold, hops, at)
      }
      rings.each(ring, range, add)
      eachHop(young, range, (hop) => add(hop, 0))
      return fold
    }
    const hops: unknown[] = []
    const places: number[] = []
    const add = (hop: Hop): void => {
      places.push(hops.length)
      for (const item of hop) hops.push(item)
    }
    rings.each(ring, range, add)
    eachHop(young, range, add)
    return places.length === 0 ? undefined : statistics.fold(hops, places)
  }

  let latestRead: Read | undefined

  /** The members of one event ask for the same state and time, one after the other, and a state is never changed in place. */
  function readAt(state: WindowState, place: Place, time: number): Read | undefined {
    if (latestRead?.state === state && latestRead.time === time) return latestRead
    const [first, last] = [hopOf(time - window.length * 1e6 + 1), hopOf(time)]
    // No hop is behind the latest one.
    const fold = foldOf(state, place, first, Math.min(last, state[0]))
    if (fold === forgotten) return undefined
    const [latest] = state
    const open = latest >= first && latest <= last ? openOf(state) : undefined
    latestRead = { state, time, first, fold, open }
    return latestRead
  }

  /** A state whose window was read at the time of the event that goes into it: what is known of the earlier hops by that. */
  function setClosed(state: unknown[], first: number, hops: unknown): unknown[] {
    state[backAt] = Number(state[0]) - first
    if (hops !== undefined)
      for (const [index, item] of statistics.together(hops).entries()) state[closedAt + index] = item
    return state
  }

  /** The hop of the latest read goes behind those before it. */
  const closedBy = ({ fold, open }: Read): unknown => {
    if (open === undefined) return fold
    return fold === undefined
      ? statistics.fold(open, [0])
      : merge?.(statistics.fold(statistics.together(fold), [0]), open, 0)
  }

  /** A value more in the latest hop. */
  function inHop(before: WindowState, value: Scalar, read: Read | undefined): unknown[] {
    const state: unknown[] = before.slice()
    const hop = statistics.add(openOf(before), value)
    for (let index = 0; index < width; index++) state[2 + index] = hop[index]
    if (read === undefined || before[backAt] === before[0] - read.first) return state
    state[startAt] = startOf(before)
    state[youngAt] = youngOf(before)
    state.length = backAt
    return setClosed(state, read.first, read.fold)
  }

  /** A value in a hop behind the latest one; undefined where the ring is forgotten. */
  function inNext(
    before: WindowState,
    value: Scalar,
    place: Place,
    { number, oldest, read }: { readonly number: number; readonly oldest: number; readonly read: Read | undefined },
  ): unknown[] | undefined {
    const hop = statistics.add(undefined, value)
    const closing = hopText(openOf(before), number - before[0])
    let [generation, start, text] = [before[1], startOf(before), youngOf(before) + closing]
    if (text.length > Math.min(maxBlock.hops * closing.length, maxBlock.characters)) {
      const ring = ringAt(before, place)
      if (ring === undefined) return undefined
      generation = rings.append(place, ring, { start, text }, { oldest, next: number })
      start = number
      text = ''
    }
    const state = [number, generation, ...hop, start, text]
    return read === undefined ? state : setClosed(state, read.first, closedBy(read))
  }

  /** A value in a hop before the latest one; undefined where the ring is forgotten. */
  function inEarlier(
    before: WindowState,
    value: Scalar,
    place: Place,
    { number, oldest }: { readonly number: number; readonly oldest: number },
  ): unknown[] | undefined {
    const ring = ringAt(before, place)
    if (ring === undefined) return undefined
    const [latest, generation] = before
    const all = { first: oldest, last: latest, width }
    const hops: unknown[] = rings.hopsOf(ring, all)
    const add = (hop: Hop, number: number): unknown => hops.push(number, ...hop)
    eachHop({ start: startOf(before), text: youngOf(before) }, all, add)
    let at = hops.length
    while (at > 0 && Number(hops[at - entry]) >= number) at -= entry
    const isThere = hops[at] === number
    const hop = statistics.add(isThere ? hops.slice(at + 1, at + entry) : undefined, value)
    hops.splice(at, isThere ? entry : 0, number, ...hop)
    const kept = rings.write(place, generation, hops, { oldest, next: latest })
    return [latest, kept, ...openOf(before)]
  }

  return {
    empty: null,
    begin(hops, place) {
      const sorted = hops.toSorted(([a], [b]) => a - b)
      const last = sorted.at(-1)
      if (last === undefined) return null
      const latest = hopOf(last[0])
      const earlier = sorted
        .slice(0, -1)
        .flatMap(([start, states, sketches]) => [hopOf(start), ...statistics.from(states, sketches)])
      const oldest = oldestAt(latest, place.now())
      const generation = rings.write(place, 0, earlier, { oldest, next: latest })
      return [latest, generation, ...statistics.from(last[1], last[2])]
    },

    add(state, value, place, { time, now }) {
      const number = hopOf(time)
      const before = state as WindowState | null
      if (before === null) return [number, 0, ...statistics.add(undefined, value)]
      const read = merge && latestRead?.state === before && latestRead.time === time ? latestRead : undefined
      if (number === before[0]) return inHop(before, value, read)
      const oldest = oldestAt(Math.max(before[0], number), now)
      if (number > before[0]) return inNext(before, value, place, { number, oldest, read })
      return number < oldest ? before : inEarlier(before, value, place, { number, oldest })
    },

    members: Object.fromEntries(
      Object.entries(statistics.members).map(([name, read]) => [
        name,
        (state: unknown, place: Place, time: number): unknown => {
          if (state === null) return read(undefined, undefined)
          const known = readAt(state as WindowState, place, time)
          return known ? read(known.fold, known.open) : forgotten
        },
      ]),
    ),
  }
}
