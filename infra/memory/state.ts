/**
 * The memory of rules. It is read and changed by one event after the other, in the order of the log, and nothing else:
 * a function of the log alone.
 *
 * A space is one rule's (or one reference's, one moving value's) part of it: `<schema>.<stream>/<hash of its definition>`,
 * so that a rule that an edit changes begins anew. A key is the text of the values that a lookup fixes.
 */
export type RuleState = {
  /** A value that is not to be changed in place; undefined where there is none. */
  value(space: string, key: string): unknown
  /**
   * Undefined forgets it. Values are what MessagePack can say: plain objects, arrays, texts, numbers, bigints, booleans.
   * With `of`, the event that the value is of, it goes when that event is erased or too old, as an item of a list does.
   */
  set(space: string, key: string, value: unknown, of?: { readonly seq: number; readonly pk: number }): void
  list(space: string, key: string): RuleList
  /** About when the event at hand was acknowledged, or a little earlier; in microseconds. */
  now(): number
  /** When the event at hand came, by a clock that neither stands still nor jumps; in microseconds. */
  came(): number
  /** Counts events that went past a bound, for `info` and the metric. */
  dropped(space: string, count: number): void
}

/** An event that is remembered: `seq` is its place in the log, `pk` its time in microseconds. */
export type Remembered<Value = unknown> = { readonly seq: number; readonly pk: number; readonly value: Value }

/** The place of an event's record; `key` is the stored form of its key. */
export type EventRecord = { readonly seq: number; readonly pk: number; readonly key: string }

/**
 * Events of one key, by `seq`, the oldest first. The one past 10,000 makes the oldest go. `items` is the list itself, not
 * a copy: a loop over it sees what is added and removed meanwhile. A list is asked for anew in each turn.
 */
export type RuleList = {
  readonly items: readonly Remembered[]
  add(item: Remembered): void
  remove(item: Remembered): void
  /** Gives the event of the same `seq` another value. */
  replace(item: Remembered): void
}

/**
 * One record of the rules' state as it is from now on: an item of a list, or a value that has its key alone. Without
 * `value` it goes. `seq` is the place in the log of the event that it is of, by which it is old; `pk` that event's
 * time in microseconds, where it is forgotten by time. `isNew`: no record of it was there before.
 */
export type StateChange = {
  readonly space: string
  readonly key: string
  readonly isItem: boolean
  readonly seq: number
  readonly pk?: number | undefined
  readonly value: unknown
  readonly isNew?: boolean
}

/**
 * `ahead`: events whose time was ahead of that at which they came, where there were any. `waiting`: events that wait for
 * another one, whose absence is told.
 */
export type RuleUsage = {
  readonly bytes: number
  readonly dropped: number
  readonly ahead?: number
  readonly waiting?: number
}
