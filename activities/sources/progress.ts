/** How far a source is. Its holder alone writes it: on its own disk before each batch, and to ClickHouse about once a second. */
import { z } from 'zod'
import type { Batch } from './batch.ts'

/** Partitions that a source reads. */
export const maxPartitions = 1_000
/** Messages that are not in the stream, of which a source shows the latest. */
export const listedErrors = 20
const listedNotes = 20
export const longestReason = 500

const place = z.object({
  /** The offset behind the last message that is in. */
  next: z.number(),
  /** Messages up to this offset are a batch that may be in the log. */
  planned: z.number().optional(),
  /** The offsets of messages before `planned` that are no part of that batch, since they could not be read. */
  unread: z.array(z.number()).optional(),
  /** The offsets of messages before `planned` that bring no event. Absent in notes of earlier releases. */
  skipped: z.array(z.number()).optional(),
  /** Where the partition ends, as its broker said last. */
  end: z.number(),
  /** The timestamp of the last message, in microseconds. */
  message: z.number().optional(),
  /** How often the offsets of the partition have begun anew. */
  epoch: z.number().optional(),
})

const refusedMessage = z.object({ partition: z.number(), offset: z.number(), error: z.string() })

export const progress = z.object({
  /** The reading of the definition: another topic is another one. */
  run: z.string(),
  /** Counts up with each change. */
  serial: z.number(),
  /** Begins the idempotency keys of batches. */
  keys: z.string(),
  /** The folder whose log remembers the batches, and the process over it. */
  home: z.string(),
  process: z.string(),
  /** Messages that `partitions` does not count may be in that log. */
  isAhead: z.boolean(),
  state: z.enum(['running', 'waiting', 'failing']),
  reason: z.string().optional(),
  /** Since when it is in that state, in microseconds, as all times here. */
  since: z.number(),
  partitions: z.record(z.string(), place),
  accepted: z.number(),
  repeated: z.number(),
  refused: z.number(),
  /** Messages without an event, such as tombstones. */
  skipped: z.number(),
  /** Messages that were gone from the topic before they came. */
  lost: z.number(),
  errors: z.array(refusedMessage),
  notes: z.array(z.string()),
  /** When the last batch came. */
  brought: z.number().optional(),
})

export type Progress = z.infer<typeof progress>
export type Place = Progress['partitions'][string]
export type RefusedMessage = z.infer<typeof refusedMessage>

export type Begin = { readonly run: string; readonly starts: Readonly<Record<string, number>> }

export function firstProgress({ run, starts }: Begin, now_us: number): Progress {
  const partitions = Object.entries(starts).map(([partition, next]) => [partition, { next, end: next }])
  return {
    ...{ run, serial: 0, keys: run, home: '', process: '', isAhead: false, state: 'running', since: now_us },
    partitions: Object.fromEntries(partitions),
    ...{ accepted: 0, repeated: 0, refused: 0, skipped: 0, lost: 0, errors: [], notes: [] },
  }
}

/** Messages that the broker has and the source has not brought. */
export const lagOf = ({ next, end }: Place): number => Math.max(0, end - next)

/** A batch is about to go to the log. */
export function planBatch(place: Place, { end, bad, skipped }: Pick<Batch, 'end' | 'bad' | 'skipped'>): void {
  forgetPlan(place)
  place.planned = end
  if (bad.length > 0) place.unread = bad.map(({ offset }) => offset)
  place.skipped = [...skipped]
}

/** The batch that was on its way is in, or its messages come otherwise. */
export function forgetPlan(place: Place): void {
  delete place.planned
  delete place.unread
  delete place.skipped
}

export function moveTo(of: Progress, state: Progress['state'], reason?: string): void {
  if (of.state !== state) of.since = Date.now() * 1000
  of.state = state
  if (reason === undefined) delete of.reason
  else of.reason = reason.slice(0, longestReason)
  of.serial++
}

export function addNote(of: Progress, note: string): void {
  of.notes = [...of.notes.filter((each) => each !== note), note].slice(-listedNotes)
}
