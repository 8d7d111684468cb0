import type { Event } from '../../base/json.ts'

/**
 * An event as it is stored, with all its attributes, computed and referenced ones too. `pk` is the text of its `_pk`, `seq` its
 * place in the log.
 */
export type RuleEvent = { readonly event: Event; readonly pk: string; readonly seq: number }

/** Where an event lies: `seq` in the log, which is about when it came, and `pk` in time; both in microseconds. */
export type EventPlace = { readonly seq: number; readonly pk: number }

/**
 * Whether a stream has not kept an event for a whole `window_us` by now: it came twice that time ago, and its own time is as
 * far back. Until then an event that comes late may look for it.
 */
export const isPast = ({ seq, pk }: EventPlace, window_us: number, now_us: number): boolean =>
  Math.max(seq, pk) < now_us - 2 * window_us

/** The `_pk` in microseconds; beyond 2^53 the nearest double, which is good enough for distances. */
export const timeOfEvent = ({ event: { _pk: own }, pk }: Pick<RuleEvent, 'event' | 'pk'>): number =>
  typeof own === 'number' ? own : Number(pk)

/** Takes the results of a step: events of other streams, and matches of notifications, in their order. */
export type Made = {
  /** An event of a stream that the rules make: without that stream's own references and computed attributes yet. */
  row(stream: string, event: Event, pk: string): void
  /** `event` is shown in the notification as it is, beside its `_pk` and `_v`. */
  match(notification: number, event: Event, pk: string): void
}
