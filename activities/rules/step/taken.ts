import type { RuleEvent } from '../rule-event.ts'

/** An event in its turn. */
export type Taken = RuleEvent & {
  /** Its `_pk` in microseconds; beyond 2^53 the nearest double, which is good enough for distances. */
  readonly time: number
}

export const take = ({ event, pk, seq }: RuleEvent): Taken => {
  const { _pk: own } = event
  return { event, pk, seq, time: typeof own === 'number' ? own : Number(pk) }
}

/** The `_pk` as members of events have it. */
export const timeOf = ({ pk, time }: Pick<Taken, 'pk' | 'time'>): number | bigint =>
  Number.isSafeInteger(time) ? time : BigInt(pk)
