import { eachGroup, eachLine, type Line, lineText } from '../../base/each-line.ts'
import type { Event } from '../../base/json.ts'
import type { Clock } from '../../infra/clock.ts'
import type { ByteBudget } from '../../infra/limits/byte-budget.ts'
import type { EventLog } from '../../infra/log/port.ts'
import type { OddTime, TimeNotes } from '../events/event-time.ts'
import { LineBuffer } from '../events/plain/line-buffer.ts'
import type { PlainEvents } from '../events/plain/plain-events.ts'
import type { OnAcknowledged, TakeBatch } from '../registry/stream-ingest.ts'
import { createBatchAccount, type KeyOfBatch, onceByKey } from './batch-account.ts'
import { type Idempotency, idempotencyKey, nameOfEvent } from './idempotency.ts'

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
  readonly encodeOne: (stamped: Pick<Stamped, 'event' | 'pk' | 'seq'>) => EncodedEvent
  readonly plain?: PlainEvents
  readonly computeTogether: ((events: readonly Event[]) => Promise<void>) | undefined
  readonly hasKeys: boolean
}

/** A batch goes to the log in parts that are full at these: one is a block of ClickHouse's, and a short turn of ours. */
const fullBytes = 7.75 * 1024 * 1024
const fullRows = 100_000
const fullNames = 2_000
/** Lines take up more than their events, by their places: as a rule no more than this many times as much. */
const usualGrowth = 1.75
const minRoom = 64 * 1024

/** Lines on their way to the log, and the keys that they bear. */
type Part = {
  readonly keys: string[]
  readonly claim: ReturnType<Idempotency['claim']>
  rows: number
  names: number
  last: number
  isFull: boolean
}

/**
 * The path of an NDJSON body to the log. It goes in parts, each of which is safe before the next is made, so that the
 * lines made of a body need no more room than a part. A batch with a key leaves a note of how far it came with each part:
 * a repeat of a batch that was cut off goes on from there.
 */
export function createBatchIngest(deps: BatchIngestDeps): TakeBatch {
  const { queue, log, clock, idempotency, room, times, read, stamp, encodeOne, plain, computeTogether, hasKeys } = deps

  const append = (lines: Buffer, { rows, keys }: Part, answers: KeyedAnswers): Promise<unknown> =>
    log.append(queue, lines, rows, answers, hasKeys ? keys : undefined)

  async function take(
    body: Buffer,
    key: KeyOfBatch | undefined,
    onAcknowledged: OnAcknowledged,
    refused: (line: Line, reason: string) => void,
    isOfPage: boolean,
  ) {
    const account = createBatchAccount({ body, key, idempotency, times, refused })
    const { counts, errors, start } = account
    const ownRoom = Math.min(fullBytes, Math.max(minRoom, usualGrowth * body.length))
    const lines = new LineBuffer(Math.min(fullBytes + minRoom, usualGrowth * (body.length - start.at)))
    const held = { bytes: 0 }
    let part = newPart()

    function newPart(): Part {
      return { keys: [], claim: idempotency.claim(), rows: 0, names: 0, last: 0, isFull: false }
    }

    function added(seq: number): void {
      part.rows++
      part.last = seq
      counts.accepted++
      const { length } = lines
      part.isFull = part.rows >= fullRows || part.names >= fullNames || length >= fullBytes
      if (part.isFull || length < ownRoom || held.bytes > 0) return
      part.isFull = !room.takeNow(held, fullBytes)
    }

    /** Appends the lines before `next`; `answer` is the whole batch's. */
    async function flush(next: Pick<Line, 'number' | 'start'>, answer?: string): Promise<void> {
      if (part.rows === 0) return
      const full = part
      const note = answer === undefined ? account.progress(next, full.last) : account.end(answer, full.last)
      const answers = [...full.claim.answers(), ...note]
      await account.bring(full.claim, () => append(lines.taken(), full, answers))
      // Only now: a log that has refused them may hold the bytes still.
      lines.length = 0
      part = newPart()
      account.reached(next, note)
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
      if (stamped.odd) counts[stamped.odd]++
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
      counts.accepted++
      counts.repeated++
    }

    function takePlain(plain: PlainEvents): void {
      const seq = clock.next()
      const time = plain.time() ?? seq
      const oddity = times.oddityOf(time, seq)
      if (isOfPage) times.refuseOfPage(oddity, time)
      plain.write(seq, lines)
      if (oddity) counts[oddity]++
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
      const answer = account.answer()
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

type KeyedAnswers = ReturnType<ReturnType<Idempotency['claim']>['answers']>
