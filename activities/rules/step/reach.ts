import { storedKey } from '../../../infra/memory/records.ts'
import type { EventRecord, Remembered, RuleList, RuleState } from '../../../infra/memory/state.ts'
import { isPast } from '../rule-event.ts'
import type { CurrentEvent } from './current-event.ts'

/** The greatest time of the events of a key, and the place of the first one that had it. */
type Newest = readonly [time: number, seq: number]

const newestKey = (stored: string): string => `#newest:${stored}`

/**
 * How far a rule looks back: it meets events that are at most `distance_us` older than its event, and forgets events that
 * are more than `distance_us` older than the newest event of their key. A time in the future counts as the time at which its
 * event came, so a client whose clock is fast makes no event late. Where a key does not come again, the rule forgets its
 * events by the time at which they came.
 */
export function createReach(space: string, distance_us: number) {
  function newest(state: RuleState, stored: string): number {
    const known = state.value(space, newestKey(stored)) as Newest | undefined
    const isKnown = known !== undefined && !isPast({ pk: known[0], seq: known[1] }, distance_us, state.now())
    return isKnown ? known[0] : Number.NEGATIVE_INFINITY
  }
  return {
    /** Takes note of an event that takes part; gives the time before which events of its key are forgotten. */
    see({ time, seq }: CurrentEvent, state: RuleState, key: string, way = ''): number {
      const stored = `${way}${storedKey(key)}`
      const known = newest(state, stored)
      const counted = Math.min(time, state.now())
      if (counted <= known) return known - distance_us
      state.set(space, newestKey(stored), [counted, seq], { seq, pk: counted })
      return counted - distance_us
    },
    isNear: (
      item: Pick<Remembered, 'seq' | 'pk'>,
      { time }: CurrentEvent,
      horizon: number,
      state: RuleState,
    ): boolean =>
      item.pk >= horizon && Math.abs(item.pk - time) <= distance_us && !isPast(item, distance_us, state.now()),
    /** Whether events of the time need not be remembered: none can meet them any more. */
    isLate: ({ time }: CurrentEvent, horizon: number): boolean => time < horizon,
    /**
     * Whether the record of an event is of no use any more; its key is told apart from that of another condition by `way`.
     * It is remembered `longer_us` longer than events are met.
     */
    isForgotten(record: EventRecord, state: RuleState, way = '', longer_us = 0): boolean {
      if (isPast(record, distance_us + longer_us, state.now())) return true
      return record.pk < newest(state, `${way}${record.key}`) - distance_us - longer_us
    },
    /** Whether a note on the newest events is past, by the distance alone. */
    isNoteForgotten: (record: EventRecord, state: RuleState): boolean => isPast(record, distance_us, state.now()),
  }
}

/** Tells which records of a space are of no use any more. */
export type Forgets = (space: string, isForgotten: (record: EventRecord, state: RuleState) => boolean) => void

export type Reach = ReturnType<typeof createReach>

/** The oldest events of a key go once they are forgotten. */
export function forgetOld(list: RuleList, horizon: number, onGone: (item: Remembered) => void = () => {}): void {
  for (let first = list.items[0]; first !== undefined && first.pk < horizon; first = list.items[0]) {
    list.remove(first)
    onGone(first)
  }
}
