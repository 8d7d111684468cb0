import { type RuleEvent, timeOfEvent } from '../rule-event.ts'

/** The event whose turn it is: rules see it beside those that they remember. */
export type CurrentEvent = RuleEvent & {
  /** The time that `timeOfEvent` reads. */
  readonly time: number
}

export const currentEvent = (of: RuleEvent): CurrentEvent => ({
  event: of.event,
  pk: of.pk,
  seq: of.seq,
  time: timeOfEvent(of),
})

/** The `_pk` as members of events have it. */
export const timeOf = ({ pk, time }: Pick<CurrentEvent, 'pk' | 'time'>): number | bigint =>
  Number.isSafeInteger(time) ? time : BigInt(pk)
