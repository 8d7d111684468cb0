import type { Line } from '../../base/each-line.ts'

/** Is called for each part that is in the log, with the number of its events and the `_seq` of the last; later events have greater ones. */
export type OnAcknowledged = (events: number, last: number) => void

/**
 * Takes the good lines of a body, and resolves to the answer once they are in the log. `refused` is called for each bad
 * line. `isOfPage`: by a key that has not the scope write.
 */
export type TakeBatch = (
  body: Buffer,
  keyOfRequest: string | undefined,
  onAcknowledged: OnAcknowledged,
  refused?: (line: Line, reason: string) => void,
  isOfPage?: boolean,
) => Promise<{ answer: string; refused: number }>

/** The way of a stream's events to the log. */
export type StreamIngest = {
  /** The answer to the first request with this key and body; undefined where there was none. */
  answered(key: string, of: { readonly body: Buffer; readonly isBatch: boolean }): Promise<string | undefined>
  /** Resolves to the answer once the event is on disk. `isOfPage`: by a key that has not the scope write. */
  one(body: Buffer, keyOfRequest?: string, isOfPage?: boolean): Promise<string>
  /** Takes the good lines of an NDJSON text and lists the bad ones; resolves once the good ones are on disk. */
  readonly batch: TakeBatch
}
