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

/** The key of a batch, and the hash of its body. */
export type KeyOfBatch = { readonly name: string; readonly hash: string }

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
export type BatchCounts = { -readonly [Name in keyof OddTimes]: number } & { accepted: number; repeated: number }

type Claim = ReturnType<Idempotency['claim']>

type Counted = { readonly counts?: Readonly<BatchCounts>; readonly listed?: LineErrors }

/**
 * The account of a batch: which of its lines are in the log, and what its answer counts. A batch with a key leaves a note of its
 * progress with each part that goes to the log, and a repeat of a batch that was cut off goes on from there.
 */
export function createBatchAccount({ body, key, idempotency, times, refused }: BatchAccountOf) {
  const begun = key && idempotency.progress(key.name)
  if (begun) checkRepeat(body, key.hash, begun)
  const errors = createLineErrors(begun, refused)
  const counts: BatchCounts = {
    accepted: begun?.accepted ?? 0,
    repeated: begun?.repeated ?? 0,
    late: begun?.late ?? 0,
    ahead: begun?.ahead ?? 0,
  }
  let { checksum = 0, bytes: checked = 0, lines = 0 } = begun ?? {}
  let before = begun && progressText(begun)

  function textTo(
    next: Pick<Line, 'number' | 'start'>,
    { accepted, repeated, late, ahead }: BatchCounts,
    all: LineErrors,
  ) {
    checksum = crc32(body.subarray(checked, next.start), checksum)
    checked = next.start
    return progressText({
      ...all,
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

  return {
    counts,
    errors,
    /** The first line that is not in the log, as the account begins. */
    start: { number: lines + 1, at: checked },

    /** The note of a batch with a key that all lines before `next` are in the log, the last of their events at `seq`. */
    progress(
      next: Pick<Line, 'number' | 'start'>,
      seq: number,
      { counts: now = counts, listed = errors.counted() }: Counted = {},
    ): KeyedAnswer[] {
      if (key === undefined) return []
      return [{ key: key.name, answer: textTo(next, now, listed), seq, request: { before, isMore: true } }]
    },

    /** The answer of a batch with a key, which goes to the log with the last part. */
    end(answer: string, seq: number): KeyedAnswer[] {
      if (key === undefined) return []
      return [{ key: key.name, answer: answerWithHash(answer, key.hash), seq, request: { before, isMore: false } }]
    },

    /** Brings a part to the log under its claim of keys; waits for room where the part before is in the log. */
    async bring(claim: Pick<Claim, 'settle'>, append: () => Promise<unknown>): Promise<void> {
      try {
        await claim.settle(() => whereRoom(append, lines > 0))
      } catch (error) {
        // Requests that wait for a key of the part get the error as it is: where to go on is this batch's own.
        throw lines > 0 ? cutOff(error, lines, key !== undefined) : error
      }
    },

    /** All lines before `next` are in the log, with this note. */
    reached(next: Pick<Line, 'number'>, [note]: readonly KeyedAnswer[]): void {
      lines = next.number - 1
      if (note) before = note.answer
    },

    answer: (): string =>
      JSON.stringify(linesAnswer(counts.accepted, errors.counted(), times.ofLines(counts), counts.repeated)),
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
  )
}

/** Says of a batch that failed half-way where to go on. */
function cutOff(error: unknown, lines: number, hasKey: boolean): unknown {
  if (!(error instanceof Fault)) return error
  const rest = hasKey ? 'send all of them again under the same key' : `send those from line ${lines + 1} on`
  return fault(error.kind, `${error.message}; the first ${lines} lines are kept: ${rest}`, error.details)
}
