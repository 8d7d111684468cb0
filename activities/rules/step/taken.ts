import type { RuleEvent } from '../rule-event.ts'

/** An event in its turn. */
export type Taken = RuleEvent & {
  /** Its `_pk` in microseconds; beyond 2^53 the nearest double, which is good enough for distances. */
  readonly time: number
}

export const take = ({ event, pk, seq }: RuleEvent): Taken => ({ event, pk, seq, time: Number(pk) })

/** A `_pk` as members of events have it. */
export function timeOf(pk: string): number | bigint {
  const number = Number(pk)
  return Number.isSafeInteger(number) ? number : BigInt(pk)
}
