import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault, fault } from '../../base/faults.ts'
import { Refusal } from '../../base/refusal.ts'
import { isPassing } from '../../infra/clickhouse/passing.ts'
import type { FileImport } from '../../sql/import/definition.ts'
import type { Accept } from '../ingest/accept.ts'
import { listedRows, type Progress, type RefusedRow } from './record.ts'
import type { Source } from './source.ts'
import type { ToEvent } from './to-event.ts'

/** A batch ends with the row that brings it to one of these. */
const batchCharacters = 1024 * 1024
const batchRows = 10_000
/** Between two notes of how far an import is. */
const noteEvery_ms = 1_000
const [firstPause_ms, longestPause_ms] = [200, 10_000]
const maxNotes = 20
const longestReason = 500

export type BringDeps = {
  /** Begins the keys of its batches. */
  readonly keys: string
  readonly definition: FileImport
  readonly source: Source
  readonly toEvent: ToEvent
  readonly accept: Accept
  /** Where an earlier run has come to. */
  readonly begun: Progress
  /** Keeps the progress; throws `Cancelled` where the import's end was asked for. */
  readonly keep: (progress: Progress) => Promise<void>
  readonly counted: (outcome: 'accepted' | 'refused', rows: number) => void
  /** Lets others have the turn of this import meanwhile. */
  readonly atRest: (work: () => Promise<void>) => Promise<void>
  readonly signal: AbortSignal
}

/** The answer to a batch. */
type Taken = {
  readonly accepted: number
  readonly rejected: number
  readonly repeated?: number
  readonly errors: readonly { readonly line: number; readonly error: string }[]
  readonly error?: readonly string[]
}

/** Faults that may pass while an import waits. */
const passing: readonly string[] = ['off', 'limited', 'unavailable', 'late']

/**
 * Brings the rows of all files to their stream. Each batch bears a key, made of its import and its first row: one that went to
 * the log before a crash is answered from there when it comes again. Resolves to the last progress.
 */
export async function bringRows(deps: BringDeps): Promise<Progress> {
  const { keys, definition, source, toEvent, accept, keep, counted, atRest, signal } = deps
  const { schema, stream } = definition.into
  let progress: Progress = deps.begun
  let noted = performance.now()
  /** Whether a batch of this run is noted: the first one is at once, which shows that the run gets further. */
  let isFurther = false
  /** Of files before the one that is read. */
  let bytesBefore = 0

  let lines: string[] = []
  /** The row of each line. */
  let rows: number[] = []
  let characters = 0
  let broken: RefusedRow[] = []
  let numBroken = 0
  /** Whether the log may have a batch that got no answer. */
  let isAhead = false

  const unseen = new Set(deps.begun.unseen)
  const sees = (place: string): void => void unseen.delete(place)

  const rowOf = (line: number): number => rows[line - 1] ?? line

  function refuse(key: string, row: number, reason: string): void {
    numBroken++
    if (broken.length < listedRows) broken.push({ key, row, error: reason.slice(0, longestReason) })
  }

  async function note(change: Partial<Progress>): Promise<void> {
    progress = { ...progress, ...change }
    await keep(progress)
    noted = performance.now()
  }

  const isNoteDue = (): boolean => performance.now() - noted > noteEvery_ms

  /** Waits while the stream is OFF, the log full or a part away: half an import is worse than a late one. */
  async function taken(body: Buffer, idempotencyKey: string): Promise<Taken> {
    for (let pause_ms = firstPause_ms; ; pause_ms = Math.min(longestPause_ms, 2 * pause_ms)) {
      signal.throwIfAborted()
      try {
        isAhead = true
        const posted = { body, isBatch: true, idempotencyKey, numberOf: rowOf }
        const answer: Taken = JSON.parse(await accept(schema, stream, posted))
        isAhead = false
        if (progress.waits !== undefined) progress = { ...progress, waits: undefined }
        return answer
      } catch (error) {
        const waits = waitedFor(error)
        if (waits === undefined) throw reasonable(error)
        await note({ waits })
        // Its place is found again by its number of rows alone, so that it need not hold a thread and decoded pages.
        if (definition.format === 'Parquet') throw error
        await atRest(() => sleep(pause_ms, undefined, { signal }))
      }
    }
  }

  async function flush(key: string, version: string, row: number, bytes: number, isWhole = false): Promise<void> {
    const first = rows[0]
    let answer: Taken = { accepted: 0, rejected: 0, errors: [] }
    if (first !== undefined)
      answer = await taken(Buffer.from(`${lines.join('\n')}\n`), keyOf(keys, key, version, first))
    for (const { line, error } of answer.errors)
      if (broken.length < listedRows) broken.push({ key, row: rowOf(line), error: error.slice(0, longestReason) })
    const { accepted, rejected, repeated = 0 } = answer
    counted('accepted', accepted)
    counted('refused', rejected + numBroken)
    const errors = [...progress.errors, ...broken].slice(0, listedRows)
    progress = {
      ...progress,
      tries: 0,
      accepted: progress.accepted + accepted,
      repeated: progress.repeated + repeated,
      refused: progress.refused + rejected + numBroken,
      errors: errors.sort((one, other) => (one.key === other.key ? one.row - other.row : 0)),
      notes: [...new Set([...progress.notes, ...(answer.error ?? []).map(plain)])].slice(0, maxNotes),
      bytes_done: bytesBefore + bytes,
      ...(progress.unseen && { unseen: [...unseen] }),
      at: { key, version, row, isWhole },
    }
    lines = []
    rows = []
    characters = 0
    broken = []
    numBroken = 0
    signal.throwIfAborted()
    if (isFurther && !isNoteDue()) return
    await note({})
    isFurther = true
  }

  async function bringFile(key: string, version: string | undefined, after: number): Promise<void> {
    const file = await source.open(key, version, after)
    let [last, read] = [after, 0]
    try {
      for await (const { rows: some, bytes } of file.rows) {
        signal.throwIfAborted()
        read = bytes
        for (const each of some) {
          if (each.row <= after) continue
          last = each.row
          try {
            if ('reason' in each) refuse(key, each.row, each.reason)
            else {
              const line = toEvent(each, sees).replace(/[\r\n]+/g, ' ')
              lines.push(line)
              rows.push(each.row)
              characters += line.length
            }
          } catch (error) {
            if (!(error instanceof Refusal) && !(error instanceof Fault && error.kind === 'invalid')) throw error
            refuse(key, each.row, error.message)
          }
          if (characters >= batchCharacters || rows.length + numBroken >= batchRows)
            await flush(key, file.version, last, bytes)
        }
        // A batch may be long in coming, as in a cell that nothing closes.
        if (isNoteDue()) await note({ bytes_done: bytesBefore + bytes })
      }
    } catch (error) {
      // The rows before the place that cannot be read are in.
      if (error instanceof Refusal) await flush(key, file.version, last, read)
      throw error instanceof Refusal ? fault('invalid', `${key}: ${error.message}`, { cause: error }) : error
    } finally {
      file.close()
    }
    await flush(key, file.version, last, read, true)
  }

  try {
    await note({ isAhead: true, waits: undefined })
    let filesDone = 0
    for await (const { key, size } of source.files()) {
      signal.throwIfAborted()
      const { at } = deps.begun
      // Keys come in the order of their bytes.
      const order = at === undefined ? 1 : Buffer.compare(Buffer.from(key), Buffer.from(at.key))
      const isDone = order < 0 || (order === 0 && at?.isWhole === true)
      if (!isDone) await (order === 0 && at ? bringFile(key, at.version, at.row) : bringFile(key, undefined, 0))
      filesDone++
      bytesBefore += size
      if (!isDone) progress = { ...progress, files_done: filesDone, bytes_done: bytesBefore }
    }
    const notes = [...unseenNotes(definition, unseen, progress), ...progress.notes].slice(0, maxNotes)
    return { ...progress, notes, isAhead: false, state: 'done', end_us: Date.now() * 1000 }
  } catch (error) {
    // The batches that the log took are counted: the next run begins right behind them.
    progress = { ...progress, isAhead }
    await keep(progress).catch(() => {})
    throw error
  }
}

/** A name that no row has is misspelt as a rule: what would have come of it is missing in each event. */
function unseenNotes({ map = {}, time }: FileImport, unseen: ReadonlySet<string>, { accepted }: Progress): string[] {
  if (accepted === 0) return []
  const of = (place: string): string => `no row has a value of ${JSON.stringify(place.slice(0, 100))}`
  const attributes = Object.entries(map).filter(([, place]) => unseen.has(place))
  return [
    ...(time !== undefined && unseen.has(time)
      ? [`${of(time)}, which time names: the events have the time at which they came`]
      : []),
    ...attributes.map(([attribute, place]) => `${of(place)}, which map names: ${attribute} is missing in all events`),
  ]
}

/** A key has at most 255 characters, and the key of an object may have more. */
function keyOf(keys: string, key: string, version: string, row: number): string {
  const file = createHash('sha256')
    .update(JSON.stringify([key, version]))
    .digest('base64url')
  return `import:${keys}:${file}:${row}`
}

/** The message of an error that may pass while an import waits; undefined for any other. */
export const waitedFor = (error: unknown): string | undefined =>
  error instanceof Error && ((error instanceof Fault && passing.includes(error.kind)) || isPassing(error))
    ? error.message
    : undefined

/** A batch that is in the log under another body: a release that reads rows in another way came between. */
const reasonable = (error: unknown): unknown =>
  error instanceof Fault && error.kind === 'reused'
    ? fault('conflict', 'the file or the way in which Weir reads it changed amid the import: the rows before are in')
    : error

/** A note without its count of lines, which is of a batch. */
const plain = (text: string): string => text.replace(/^(?:\d[\d,]* lines are|1 line is) /, 'some rows are ')
