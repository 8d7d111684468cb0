import { setTimeout as sleep } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { createLineErrors, eachGroup, eachLine, type Line, linesAnswer, lineText } from '../../base/each-line.ts'
import { Fault, fault } from '../../base/faults.ts'
import type { Event } from '../../base/json.ts'
import type { Clock } from '../../infra/clock.ts'
import type { ByteBudget } from '../../infra/limits/byte-budget.ts'
import type { EventLog } from '../../infra/log/port.ts'
import type { OddTime, TimeNotes } from '../events/event-time.ts'
import { LineBuffer } from '../events/plain/line-buffer.ts'
import type { PlainEvents } from '../events/plain/plain-events.ts'
import type { OnAcknowledged, TakeBatch } from '../registry/stream-ingest.ts'
import {
  answerTo,
  answerWithHash,
  hashOf,
  type Idempotency,
  idempotencyKey,
  nameOfBatch,
  nameOfEvent,
  otherBody,
  type Progress,
  progressText,
} from './idempotency.ts'

/** An event with its place in the stream. */
export type Stamped = {
  readonly event: Event
  readonly pk: string
  readonly seq: number
  readonly answer: string
  readonly odd?: OddTime
}
export type EncodedEvent = { readonly line: string; readonly keys?: readonly string[] }

export type BatchIngestDeps = {
  readonly queue: string
  readonly log: EventLog
  readonly clock: Clock
  readonly idempotency: Idempotency
  readonly room: Pick<ByteBudget, 'takeNow' | 'give'>
  readonly times: TimeNotes
  readonly read: (text: string) => Event
  readonly stamp: (event: Event, isOfPage: boolean) => Stamped
  readonly encodeOne: (stamped: Stamped) => EncodedEvent
  readonly plain?: PlainEvents
  readonly computeTogether?: (events: readonly Event[]) => Promise<void>
  readonly hasKeys: boolean
}

/** A batch goes to the log in parts that are full at these: one is a block of ClickHouse's, and a short turn of ours. */
const fullBytes = 7.75 * 1024 * 1024
const fullRows = 100_000
const fullNames = 2_000
/** Lines take up more than their events, by their places: as a rule no more than this many times as much. */
const usualGrowth = 1.75
const minRoom = 64 * 1024

/** A log that is full amid a batch is waited for: half of a batch is worse than a late one. */
const patience_ms = 10_000
const pause_ms = 100

/** Lines on their way to the log, and the keys that they bear. */
type Part = {
  readonly keys: string[]
  readonly claim: ReturnType<Idempotency['claim']>
  rows: number
  names: number
  last: number
  isFull: boolean
}

const nothing: Progress = { lines: 0, bytes: 0, accepted: 0, rejected: 0, errors: [], checksum: 0, late: 0, ahead: 0 }

/**
 * The path of an NDJSON body to the log. It goes in parts, each of which is safe before the next is made, so that the
 * lines made of a body need no more room than a part. A batch with a key leaves a note of how far it came with each part:
 * a repeat of a batch that was cut off goes on from there.
 */
export function createBatchIngest(deps: BatchIngestDeps): TakeBatch {
  const { queue, log, clock, idempotency, room, times, read, stamp, encodeOne, plain, computeTogether, hasKeys } = deps

  const append = (lines: Buffer, { rows, keys }: Part, answers: KeyedAnswers, mayWait: boolean): Promise<unknown> =>
    whereRoom(() => log.append(queue, lines, rows, answers, hasKeys ? keys : undefined), mayWait)

  async function take(
    body: Buffer,
    key: KeyOfBatch | undefined,
    onAcknowledged: OnAcknowledged,
    refused: (line: Line, reason: string) => void,
    isOfPage: boolean,
  ) {
    const { name, hash } = key ?? {}
    const begun = (name === undefined ? undefined : idempotency.progress(name)) ?? nothing
    if (begun !== nothing) checkRepeat(body, hash, begun)
    const ownRoom = Math.min(fullBytes, Math.max(minRoom, usualGrowth * body.length))
    const errors = createLineErrors(begun, refused)
    let { accepted, checksum, bytes: checked } = begun
    const odd = { late: begun.late ?? 0, ahead: begun.ahead ?? 0 }
    let repeated = begun.repeated ?? 0
    let acknowledged = begun.lines
    let before = begun === nothing ? undefined : progressText(begun)
    const lines = new LineBuffer(Math.min(fullBytes + minRoom, usualGrowth * (body.length - begun.bytes)))
    const held = { bytes: 0 }
    let part = newPart()

    function newPart(): Part {
      return { keys: [], claim: idempotency.claim(), rows: 0, names: 0, last: 0, isFull: false }
    }

    function added(seq: number): void {
      part.rows++
      part.last = seq
      accepted++
      const { length } = lines
      part.isFull = part.rows >= fullRows || part.names >= fullNames || length >= fullBytes
      if (part.isFull || length < ownRoom || held.bytes > 0) return
      part.isFull = !room.takeNow(held, fullBytes)
    }

    /** Appends the lines before `next`; `answer` is the whole batch's. */
    async function flush(next: Pick<Line, 'number' | 'start'>, answer?: string): Promise<void> {
      if (part.rows === 0) return
      const full = part
      const answers = full.claim.answers()
      if (name !== undefined) {
        const toThere = (): string => {
          checksum = crc32(body.subarray(checked, next.start), checksum)
          checked = next.start
          return progressText({
            ...errors.counted(),
            lines: next.number - 1,
            bytes: checked,
            accepted,
            checksum,
            ...odd,
            ...(repeated > 0 && { repeated }),
            ...(hash !== undefined && { hash }),
          })
        }
        const now = answer === undefined ? toThere() : answerWithHash(answer, hash)
        answers.push({ key: name, answer: now, seq: full.last, request: { before, isMore: answer === undefined } })
        before = now
      }
      try {
        await full.claim.settle(() => append(lines.taken(), full, answers, acknowledged > 0))
      } catch (error) {
        throw acknowledged > 0 ? cutOff(error, acknowledged, name !== undefined) : error
      }
      // Only now: a log that has refused them may hold the bytes still.
      lines.length = 0
      part = newPart()
      acknowledged = next.number - 1
      onAcknowledged(full.rows, full.last)
    }

    /** Whether an event of that name was accepted before, or is by then. No key of ours is waited for meanwhile. */
    async function isRepeat(name: string, line: Line): Promise<boolean> {
      for (;;) {
        const first = idempotency.first(name)
        if (first === undefined) return false
        if (typeof first === 'string') return true
        await flush(line)
        const isAcknowledged = await first.then(
          () => true,
          () => false,
        )
        if (isAcknowledged) return true
      }
    }

    function encode(stamped: Stamped, name: string | undefined): void {
      const encoded = encodeOne(stamped)
      lines.text(encoded.line)
      for (const key of encoded.keys ?? []) part.keys.push(key)
      if (name !== undefined) {
        part.claim.add(name, stamped.answer, stamped.seq)
        part.names++
      }
      if (stamped.odd) odd[stamped.odd]++
      added(stamped.seq)
    }

    function takeEvent(event: Event, line: Line, stamped?: Stamped): void | Promise<void> {
      const key = idempotencyKey(event._id, '_id')
      if (key === undefined) return encode(stamped ?? stamp(event, isOfPage), undefined)
      const name = nameOfEvent(key)
      if (part.claim.answer(name) !== undefined) return takeRepeat()
      if (idempotency.first(name) === undefined) return encode(stamped ?? stamp(event, isOfPage), name)
      return isRepeat(name, line).then((isSo) => {
        // Another batch that waited as well may have claimed it since.
        if (!isSo) return takeEvent(event, line, stamped)
        takeRepeat()
      })
    }

    function takeRepeat(): void {
      accepted++
      repeated++
    }

    function takePlain(plain: PlainEvents): void {
      const seq = clock.next()
      const time = plain.time() ?? seq
      const oddity = times.oddityOf(time, seq)
      if (isOfPage) times.refuseOfPage(oddity, time)
      plain.write(seq, lines)
      if (oddity) odd[oddity]++
      if (hasKeys) part.keys.push(plain.key(seq))
      added(seq)
    }

    function takeLine(line: Line): void | Promise<void> {
      if (plain?.read(body, line.start, line.end)) return takePlain(plain)
      return takeEvent(read(lineText(body, line.start, line.end)), line)
    }

    const behindFull = (line: Line, takeIt: () => void | Promise<void>): void | Promise<void> =>
      part.isFull ? flush(line).then(takeIt) : takeIt()

    try {
      await takeLines()
      const answer = JSON.stringify(linesAnswer(accepted, errors.counted(), times.ofLines(odd), repeated))
      await flush({ number: Number.MAX_SAFE_INTEGER, start: body.length }, answer)
      return { answer, refused: errors.counted().rejected }
    } catch (error) {
      part.claim.fail(error)
      throw error
    } finally {
      plain?.release()
      room.give(held)
    }

    async function takeLines(): Promise<void> {
      const start = { number: begun.lines + 1, at: begun.bytes }
      if (computeTogether) {
        const steps = {
          read: ({ start, end }: Line) => stamp(read(lineText(body, start, end)), isOfPage),
          prepare: (group: readonly Stamped[]) => computeTogether(group.map(({ event }) => event)),
          take: (stamped: Stamped, line: Line) => behindFull(line, () => takeEvent(stamped.event, line, stamped)),
        }
        await eachGroup(body, steps, start, errors)
      } else {
        await eachLine(body, (line) => behindFull(line, () => takeLine(line)), start, errors)
      }
    }
  }

  return async (body, keyOfRequest, onAcknowledged, refused = () => {}, isOfPage = false) => {
    if (keyOfRequest === undefined) return take(body, undefined, onAcknowledged, refused, isOfPage)
    return onceByKey(idempotency, body, keyOfRequest, (key) => take(body, key, onAcknowledged, refused, isOfPage))
  }
}

/** The key of a batch, and the hash of its body. */
export type KeyOfBatch = { readonly name: string; readonly hash: string }
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

type KeyedAnswers = ReturnType<ReturnType<Idempotency['claim']>['answers']>

/** Tries again for a while where the log is full, if it may wait. */
export async function whereRoom<Result>(append: () => Promise<Result>, mayWait: boolean): Promise<Result> {
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
export function checkRepeat(
  body: Buffer,
  hash: string | undefined,
  { lines, bytes, checksum, hash: first }: Progress,
): void {
  const isSame = first === undefined || hash === undefined ? undefined : first === hash
  if (isSame ?? (body.length >= bytes && crc32(body.subarray(0, bytes)) === checksum)) return
  throw otherBody(
    `; of the first one, a batch of other lines, the first ${lines} lines are kept: send it again as it was, or these lines under another key`,
  )
}

/** Says of a batch that failed half-way where to go on. */
export function cutOff(error: unknown, lines: number, hasKey: boolean): unknown {
  if (!(error instanceof Fault)) return error
  const rest = hasKey ? 'send all of them again under the same key' : `send those from line ${lines + 1} on`
  return fault(error.kind, `${error.message}; the first ${lines} lines are kept: ${rest}`, error.details)
}
