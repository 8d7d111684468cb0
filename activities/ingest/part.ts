import type { Line } from '../../base/each-line.ts'
import type { Event } from '../../base/json.ts'
import type { KeyedAnswer } from '../../infra/log/port.ts'
import type { OddTime, OddTimes } from '../events/event-time.ts'
import type { Idempotency } from './idempotency.ts'

/** An event with its place in the stream. */
export type Stamped = {
  readonly event: Event
  readonly pk: string
  readonly seq: number
  readonly answer: string
  readonly odd?: OddTime
}

export type EncodedEvent = { readonly line: string; readonly keys?: readonly string[] }

/** The keys of events that the log keeps at once. */
export const maxNames = 2_000

/** A part of a batch that is in the log: its events, the `_seq` of the last, and the lines that were refused only on their way there. */
export type Brought = Readonly<OddTimes> & {
  readonly rows: number
  readonly last: number
  readonly refused: readonly { readonly line: Line; readonly error: unknown }[]
}

/** Lines of a batch that go to the log together. */
export type Part = {
  /** The keys that its events bear. */
  readonly claim: ReturnType<Idempotency['claim']>
  isEmpty(): boolean
  /** Whether it should go to the log before it takes another line. */
  isFull(): boolean
  /** Takes the event of a line without a parser; false where the event needs one. */
  addPlain(line: Line): boolean
  /** Takes an event, which bears a key of that name. */
  add(line: Line, event: Event, name: string | undefined): void
  refuse(line: Line, error: unknown): void
  /** Brings the part to the log, with the notes that `note` makes of it. Where it fails, it may be tried again. */
  bring(note: (brought: Brought) => readonly KeyedAnswer[]): Promise<Brought>
}

export type BatchOfParts = {
  readonly body: Buffer
  /** Where its lines begin that are not in the log. */
  readonly at: number
  readonly isOfPage: boolean
  readonly refuse: (line: Line, error: unknown) => void
}

/** Makes the parts of a batch, one after the other: the next one begins when the one before is in the log. */
export type OpenParts = (batch: BatchOfParts) => { readonly begin: () => Part; readonly close: () => void }
