import type { Event } from '../../base/json.ts'

/**
 * An event as it is stored, with all its attributes, computed and referenced ones too. `pk` is the text of its `_pk`, `seq` its
 * place in the log.
 */
export type RuleEvent = { readonly event: Event; readonly pk: string; readonly seq: number }

/** Where an event lies: `seq` in the log, which is about when it came, and `pk` in time; both in microseconds. */
export type EventPlace = { readonly seq: number; readonly pk: number }

/** Rows are remembered at least this much longer than the window, for events that come late. */
const leastGrace_us = 10 * 60 * 1_000_000

/** A row is past that came, and whose own time was, before this. */
export const pastBefore = (window_us: number, now_us: number): number =>
  now_us - window_us - Math.max(window_us, leastGrace_us)

/**
 * Whether references forget a row of a stream that keeps events for `window_us`: it came, and its own time was, longer than
 * twice that window before `now_us`, and 10 minutes longer than the window.
 */
export const isPast = ({ seq, pk }: EventPlace, window_us: number, now_us: number): boolean =>
  Math.max(seq, pk) < pastBefore(window_us, now_us)

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

/** Places are whole numbers, and microseconds: until 2041 a number tells so many parts of one apart. */
const copiesOfPlace = 4

/** The place of a copy of an event in a stream that has so many copies of it before; undefined where none is left. */
export const copyPlace = (place: number, before: number): number | undefined =>
  before < copiesOfPlace ? place + before / copiesOfPlace : undefined

/** The place of the event in the tables, by which it is erased. */
export const storedPlace = (seq: number): number => Math.floor(seq)
