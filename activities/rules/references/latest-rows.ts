import type { RuleList, RuleState } from '../../../infra/memory/state.ts'
import { isPast, pastBefore, type RuleEvent, timeOfEvent } from '../rule-event.ts'

/**
 * A row that is remembered of a key. One whose place in the log and whose time both lie behind another's is forgotten: in
 * every window that has it there is the other one, which is later in the log. So the times of those that are left go
 * down, and mostly there is one.
 */
export type Stair = readonly [seq: number, pk: number, values: readonly unknown[]]

/**
 * The latest stairs of a key. `more`: older ones are in the list of the same key. Stairs that went past the bound: `oldest`
 * is the greatest time of those that were the oldest of their key, and so later in time than all that are left; `latest`
 * the greatest place and time of those that went although they were the last to come.
 */
type RememberedRows =
  | readonly Stair[]
  | {
      readonly stairs: readonly Stair[]
      readonly more: boolean
      readonly oldest?: number
      readonly latest?: readonly [seq: number, pk: number]
    }
type Spread = Exclude<RememberedRows, readonly Stair[]>

/** Stairs that stand in one value; where there are more, this many go into the list at once. */
const maxStairs = 32
const moved = 16
/** Stairs in the list of a key. */
const maxListed = 10_000

const spread = (remembered: RememberedRows | undefined): Spread =>
  remembered === undefined
    ? { stairs: [], more: false }
    : 'stairs' in remembered
      ? remembered
      : { stairs: remembered, more: false }

/** Remembers, of each key, the rows that may be the latest in the log within a window. */
export function createLatestRows(space: string, window_us: number) {
  /** The last stair in the log whose time is `from` or later. */
  function lastFrom(state: RuleState, key: string, { stairs, more }: Spread, from: number): Stair | undefined {
    const found = stairs.findLast((stair) => stair[1] >= from)
    if (found || !more) return found
    const { items } = state.list(space, key)
    const item = items[placeOfLast(items, from)]
    return item && [item.seq, item.pk, item.value as readonly unknown[]]
  }

  /** Whether a row that went past the bound is the one that is meant, or may be. */
  const isGone = ({ oldest, latest }: Spread, found: Stair | undefined, from: number): boolean =>
    (found === undefined && oldest !== undefined && oldest >= from) ||
    (latest !== undefined && latest[1] >= from && latest[0] > (found?.[0] ?? Number.NEGATIVE_INFINITY))

  /** Takes away the stairs of the list behind which the row at `time` stands. */
  function forgetBehind(list: RuleList, time: number): void {
    for (let last = list.items.at(-1); last !== undefined && last.pk <= time; last = list.items.at(-1))
      list.remove(last)
  }

  /** Puts a row behind stairs of which some may be in the list. */
  function addSpread(state: RuleState, key: string, remembered: Spread, added: Stair): RememberedRows {
    const [, time] = added
    const list = state.list(space, key)
    let stairs = remembered.stairs.filter((each) => each[1] > time)
    if (stairs.length === 0 && remembered.more) forgetBehind(list, time)
    let { more, oldest, latest } = remembered
    if (oldest !== undefined && oldest <= time) oldest = undefined
    if (latest !== undefined && latest[1] <= time) latest = undefined
    const isFull = list.items.length >= maxListed
    if (isFull && time < state.now() - window_us) {
      // No event of its time finds it, and those that are left may be found.
      state.dropped(space, 1)
      latest = [added[0], Math.max(time, latest?.[1] ?? time)]
    } else stairs = [...stairs, added]
    if (stairs.length > maxStairs) {
      // A list whose value went before it is of no use.
      if (!more) for (const item of [...list.items]) list.remove(item)
      more = true
      for (const [seq, pk, value] of stairs.slice(0, moved)) {
        const [first] = list.items
        if (list.items.length >= maxListed && first) oldest = Math.max(first.pk, oldest ?? first.pk)
        list.add({ seq, pk, value })
      }
      stairs = stairs.slice(moved)
    }
    more &&= list.items.length > 0
    if (!more && oldest === undefined && latest === undefined) return stairs
    return { stairs, more, ...(oldest !== undefined && { oldest }), ...(latest && { latest }) }
  }

  return {
    /** The row that is meant; none where it went past the bound, which is counted. */
    find(state: RuleState, key: string, pk: number): readonly unknown[] | undefined {
      const remembered = state.value(space, key) as RememberedRows | undefined
      if (remembered === undefined) return undefined
      const of = spread(remembered)
      const from = pk - window_us
      let found = lastFrom(state, key, of, from)
      if (found && isPast({ seq: found[0], pk: found[1] }, window_us, state.now())) {
        // The places of those before it in the log are past as well.
        found = lastFrom(state, key, of, Math.max(from, pastBefore(window_us, state.now())))
      }
      if (isGone(of, found, from)) {
        state.dropped(space, 1)
        return undefined
      }
      return found?.[2]
    },

    add(state: RuleState, key: string, event: RuleEvent, values: readonly unknown[]): void {
      const { seq } = event
      const time = timeOfEvent(event)
      const known = state.value(space, key) as RememberedRows | undefined
      const added: Stair = [seq, time, values]
      let remembered: RememberedRows
      if (known !== undefined && 'stairs' in known) remembered = addSpread(state, key, known, added)
      else if (known?.[0] === undefined || known[0][1] <= time || window_us === Number.POSITIVE_INFINITY)
        remembered = [added]
      else {
        const stairs = known.filter((each) => each[1] > time)
        remembered = stairs.length < maxStairs ? [...stairs, added] : addSpread(state, key, spread(stairs), added)
      }
      const { stairs } = spread(remembered)
      state.set(space, key, remembered, { seq, pk: stairs[0]?.[1] ?? time })
    },
  }
}

/** The place of the last item whose time is `from` or later; -1 where there is none. Their times go down. */
function placeOfLast(items: RuleList['items'], from: number): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((items[middle]?.pk ?? Number.NEGATIVE_INFINITY) >= from) low = middle + 1
    else high = middle
  }
  return low - 1
}
