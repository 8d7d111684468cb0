import { setTimeout as sleep } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { createLineErrors, type Line, type LineErrors, linesAnswer } from '../../base/each-line.ts'
import { Fault, fault } from '../../base/faults.ts'
import type { KeyedAnswer } from '../../infra/log/port.ts'
import type { OddTimes, TimeNotes } from '../events/event-time.ts'
import type { TakeBatch } from '../registry/stream-ingest.ts'
import {
  answerTo,
  answerWithHash,
  hashOf,
  type Idempotency,
  nameOfBatch,
  otherBody,
  type Progress,
  progressText,
} from './idempotency.ts'
import type { Brought, Part } from './part.ts'

/** The key of a batch, and the hash of its body. */
export type KeyOfBatch = { readonly name: string; readonly hash: string }

/** A line, by its number and its first byte. */
type Place = Pick<Line, 'number' | 'start'>

/** A full log is waited for amid a batch: half of a batch is worse than a late one. */
const patience_ms = 10_000
const pause_ms = 100

export type BatchAccountOf = {
  readonly body: Buffer
  readonly key: KeyOfBatch | undefined
  readonly idempotency: Pick<Idempotency, 'progress'>
  readonly times: Pick<TimeNotes, 'ofLines'>
  readonly refused: (line: Line, reason: string) => void
}

/** The events of a batch that were accepted, and how many of those are repeats or have an odd time. */
type BatchCounts = OddTimes & { readonly accepted: number; readonly repeated: number }

/** The counts and the refused lines of a batch. */
type Sums = { readonly counts: BatchCounts; readonly refused: LineErrors }

/**
 * The account of a batch: which of its lines are in the log, and what its answer counts. A batch with a key leaves a note of its
 * progress with each part that goes to the log, and a repeat of a batch that was cut off goes on from there.
 */
export function createBatchAccount({ body, key, idempotency, times, refused }: BatchAccountOf) {
  const begun = key && idempotency.progress(key.name)
  if (begun) checkRepeat(body, key.hash, begun)
  const errors = createLineErrors(begun, refused)
  let counts: BatchCounts = {
    accepted: begun?.accepted ?? 0,
    repeated: begun?.repeated ?? 0,
    late: begun?.late ?? 0,
    ahead: begun?.ahead ?? 0,
  }
  let { checksum = 0, bytes: checked = 0, lines = 0 } = begun ?? {}
  let before = begun && progressText(begun)

  /** The sums once a part is in the log. */
  function sumsWith({ rows, late, ahead, refused: few }: Brought): Sums {
    const { accepted, repeated } = counts
    const now = { accepted: accepted + rows, repeated, late: counts.late + late, ahead: counts.ahead + ahead }
    const listed = createLineErrors(errors.counted())
    for (const { line, error } of few) listed.add(line, error)
    return { counts: now, refused: listed.counted() }
  }

  function textTo(next: Place, { counts: { accepted, repeated, late, ahead }, refused }: Sums): string {
    checksum = crc32(body.subarray(checked, next.start), checksum)
    checked = next.start
    return progressText({
      ...refused,
      lines: next.number - 1,
      bytes: checked,
      accepted,
      checksum,
      late,
      ahead,
      ...(repeated > 0 && { repeated }),
      ...(key && { hash: key.hash }),
    })
  }

  /** Goes to the log with a part: all lines before `next` are there. The last one has the whole answer. */
  function noteOf({ name, hash }: KeyOfBatch, next: Place, brought: Brought, isLast: boolean): KeyedAnswer {
    const sums = sumsWith(brought)
    const answer = isLast ? answerWithHash(answerOf(sums), hash) : textTo(next, sums)
    return { key: name, answer, seq: brought.last, request: { before, isMore: !isLast } }
  }

  const answerOf = ({ counts, refused }: Sums): string =>
    JSON.stringify(linesAnswer(counts.accepted, refused, times.ofLines(counts), counts.repeated))

  return {
    errors,
    /** The first line that is not in the log, as the account begins. */
    start: { number: lines + 1, at: checked },

    /** Counts an event that was accepted before. */
    repeated(): void {
      counts = { ...counts, accepted: counts.accepted + 1, repeated: counts.repeated + 1 }
    },

    /**
     * Brings a part to the log under its claim of keys, with a note where the batch has a key: all lines before `next` are there
     * then. Waits for room where a part before is in the log.
     */
    async bring(part: Pick<Part, 'claim' | 'bring'>, next: Place, isLast: boolean): Promise<Brought> {
      let note: KeyedAnswer | undefined
      const bring = (): Promise<Brought> =>
        part.bring((brought) => {
          note = key && noteOf(key, next, brought, isLast)
          return note ? [note] : []
        })
      try {
        const brought = await part.claim.settle(() => whereRoom(bring, lines > 0))
        counts = sumsWith(brought).counts
        for (const { line, error } of brought.refused) errors.add(line, error)
        if (note) before = note.answer
        if (brought.rows > 0) lines = next.number - 1
        return brought
      } catch (error) {
        // Requests that wait for a key of the part get the error as it is: where to go on is this batch's own.
        throw lines > 0 ? cutOff(error, lines, key !== undefined) : error
      }
    },

    answer: (): string => answerOf({ counts, refused: errors.counted() }),
  }
}

type Taken = Awaited<ReturnType<TakeBatch>>

/** Takes a batch with a key, or answers what the first one under it got. */
export async function onceByKey(
  idempotency: Idempotency,
  body: Buffer,
  keyOfRequest: string,
  take: (key: KeyOfBatch) => Promise<Taken>,
): Promise<Taken> {
  const key = { name: nameOfBatch(keyOfRequest), hash: await hashOf(body) }
  const first = idempotency.first(key.name)
  if (first !== undefined) return { answer: answerTo(await first, key.hash), refused: 0 }
  const claim = idempotency.claim()
  // A request with another body that comes meanwhile is refused at the end of this one.
  claim.add(key.name, '', 0)
  let taken: Taken = { answer: '', refused: 0 }
  await claim.settle(async () => {
    taken = await take(key)
    claim.add(key.name, answerWithHash(taken.answer, key.hash), 0)
  })
  return taken
}

/** Tries again for a while where the log is full, if it may wait. */
async function whereRoom<Result>(append: () => Promise<Result>, mayWait: boolean): Promise<Result> {
  const end = performance.now() + patience_ms
  for (;;) {
    try {
      return await append()
    } catch (error) {
      const isFull = error instanceof Fault && error.kind === 'limited'
      if (!isFull || !mayWait || performance.now() > end) throw error
      await sleep(pause_ms)
    }
  }
}

/** A key stands for one body: a repeat with the lines of another body would leave some out. */
function checkRepeat(body: Buffer, hash: string, { lines, bytes, checksum, hash: first }: Progress): void {
  const isSame = first === undefined ? undefined : first === hash
  if (isSame ?? (body.length >= bytes && crc32(body.subarray(0, bytes)) === checksum)) return
  throw otherBody(
    `; of the first one, a batch of other lines, the first ${lines} lines are kept: send it again as it was, or these lines under another key`,
    { keptLines: lines },
  )
}

/** Says of a batch that failed half-way where to go on. */
function cutOff(error: unknown, lines: number, hasKey: boolean): unknown {
  if (!(error instanceof Fault)) return error
  const rest = hasKey ? 'send all of them again under the same key' : `send those from line ${lines + 1} on`
  return fault(error.kind, `${error.message}; the first ${lines} lines are kept: ${rest}`, error.details)
}
