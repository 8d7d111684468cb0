import type { RuleList, RuleState } from '../state.ts'
import type { Taken } from './taken.ts'

const newestKey = '#newest'

/**
 * How far a rule looks back: to events that are `distance_us` away at most, and of those to the ones that are not yet so
 * much older than the newest that the rule has seen.
 */
export function createReach(space: string, distance_us: number) {
  const newest = (state: RuleState): number => {
    const known = state.value(space, newestKey)
    return typeof known === 'number' ? known : Number.NEGATIVE_INFINITY
  }
  return {
    /** Takes note of an event that takes part; gives the time before which events are forgotten. */
    see({ time }: Taken, state: RuleState): number {
      const known = newest(state)
      if (time <= known) return known - distance_us
      state.set(space, newestKey, time)
      return time - distance_us
    },
    horizon: (state: RuleState): number => newest(state) - distance_us,
    isNear: (pk: number, { time }: Taken, horizon: number): boolean =>
      pk >= horizon && Math.abs(pk - time) <= distance_us,
  }
}

/** Tells the time before which the events of a space are of no use any more. */
export type Forgets = (space: string, horizon: (state: RuleState) => number) => void

export type Reach = ReturnType<typeof createReach>

/** The oldest events of a key go once they are forgotten. */
export function forgetOld(list: RuleList, horizon: number): void {
  for (let first = list.items[0]; first !== undefined && first.pk < horizon; first = list.items[0]) list.remove(first)
}
