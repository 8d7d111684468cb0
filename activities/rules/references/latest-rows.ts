import { isPast, type RuleEvent, timeOfEvent } from '../rule-event.ts'
import type { RuleState } from '../state.ts'

/**
 * A row that is remembered of a key. One whose place in the log and whose time both lie behind another's is forgotten: in
 * every window that has it there is the other one, which is later in the log. So the times of those that are left go
 * down, and mostly there is one.
 */
export type Stair = readonly [seq: number, pk: number, values: readonly unknown[]]

/** Rows of a key that came in the order of falling times. */
const maxStairs = 32

/** Remembers, of each key, the rows that may be the latest in the log within a window. */
export function createLatestRows(space: string, window_us: number) {
  return {
    find(state: RuleState, key: string, pk: number): readonly unknown[] | undefined {
      const stairs = state.value(space, key) as readonly Stair[] | undefined
      if (stairs === undefined) return undefined
      for (let at = stairs.length - 1; at >= 0; at--) {
        const stair = stairs[at]
        if (!stair || stair[1] < pk - window_us) continue
        if (!isPast({ seq: stair[0], pk: stair[1] }, window_us, state.now())) return stair[2]
      }
      return undefined
    },

    add(state: RuleState, key: string, event: RuleEvent, values: readonly unknown[]): void {
      const { seq } = event
      const time = timeOfEvent(event)
      const known = state.value(space, key) as readonly Stair[] | undefined
      const stairs = withStair(known, [seq, time, values], window_us)
      state.set(space, key, stairs, { seq, pk: stairs[0]?.[1] ?? time })
    },
  }
}

/** `added` is later in the log than the others. */
export function withStair(known: readonly Stair[] | undefined, added: Stair, window_us: number): readonly Stair[] {
  const [first] = known ?? []
  if (first === undefined || first[1] <= added[1]) return [added]
  const stairs = known === undefined || window_us === Infinity ? [] : known.filter((each) => each[1] > added[1])
  if (stairs.length === maxStairs) stairs.splice(leastStep(stairs), 1)
  stairs.push(added)
  return stairs
}

/** The stair that is closest in time to the one behind it, which stands in for it best. */
function leastStep(stairs: readonly Stair[]): number {
  let [found, least] = [0, Number.POSITIVE_INFINITY]
  for (let at = 0; at + 1 < stairs.length; at++) {
    const step = (stairs[at]?.[1] ?? 0) - (stairs[at + 1]?.[1] ?? 0)
    if (step < least) [found, least] = [at, step]
  }
  return found
}
