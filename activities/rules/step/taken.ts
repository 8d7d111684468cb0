import { type RuleEvent, timeOfEvent } from '../rule-event.ts'

/** An event in its turn. */
export type Taken = RuleEvent & {
  /** The time that `timeOfEvent` reads. */
  readonly time: number
}

export const take = (of: RuleEvent): Taken => ({ event: of.event, pk: of.pk, seq: of.seq, time: timeOfEvent(of) })

/** The `_pk` as members of events have it. */
export const timeOf = ({ pk, time }: Pick<Taken, 'pk' | 'time'>): number | bigint =>
  Number.isSafeInteger(time) ? time : BigInt(pk)
