import { isUtf8 } from 'node:buffer'
import type { Clock } from '../../infra/clock.ts'
import { fault } from '../../infra/faults.ts'
import { type Event, isObject, type Json, parseJson, utf8 } from '../../infra/json.ts'
import type { EventLog } from '../../infra/log/port.ts'
import { Refusal } from '../../sql/refusal.ts'
import type { Compute } from './computed/compile.ts'
import { eachGroup, eachLine, lineText } from './each-line.ts'
import type { EncodeEvent } from './encode-event.ts'
import { createIdempotency, idempotencyKey, nameOfBatch, nameOfEvent } from './idempotency.ts'
import { LineBuffer } from './plain/line-buffer.ts'
import { type PlainEvents, pkOf } from './plain/plain-events.ts'
import { encodeLong, shown } from './values.ts'

export type StreamIngestDeps = {
  readonly queue: string
  readonly log: EventLog
  readonly clock: Clock
  readonly encode: EncodeEvent
  /** The quick way of events that it reads; absent where the stream's need more. */
  readonly plain?: PlainEvents
  /** Fills computed attributes in; absent where the stream has none. */
  readonly compute?: Compute
  /** The event's key; absent where the stream declares none. Events without one are spread by `seq`. */
  readonly keyOf?: (event: Event, seq: number) => string
}

/** Lines take up more than their events, by their places and pivots: as a rule no more than so many times as much. */
const usualGrowth = 1.75

/** The path of a stream's events from JSON text to the log. Answers are JSON text. */
export function createStreamIngest({ queue, log, clock, encode, plain, compute, keyOf }: StreamIngestDeps) {
  const idempotency = createIdempotency(queue, log)

  const computeEach = compute?.kind === 'each' ? compute.compute : undefined
  const computeTogether = compute?.kind === 'together' ? compute.compute : undefined

  /** An event with its place in the stream. */
  type Stamped = { readonly event: Event; readonly pk: string; readonly seq: number; readonly answer: string }

  function stamp(event: Event): Stamped {
    const seq = clock.next()
    const pk = timeOf(event, seq)
    if (compute) event._pk ??= seq
    return { event, pk, seq, answer: answerOf(pk) }
  }

  function encodeOne({ event, pk, seq }: Stamped): { readonly line: string; readonly keys?: readonly string[] } {
    if (computeEach) computeEach(event)
    const line = encode(event, pk, seq)
    return keyOf ? { line, keys: [keyOf(event, seq)] } : { line }
  }

  async function keyedOne(event: Event, names: readonly string[]): Promise<string> {
    for (const name of names) {
      const first = idempotency.first(name)
      if (first !== undefined) return first
    }
    const stamped = stamp(event)
    const claim = idempotency.claim()
    for (const name of names) claim.add(name, stamped.answer, stamped.seq)
    await claim.settle(async () => {
      if (computeTogether) await computeTogether([event])
      const { line, keys } = encodeOne(stamped)
      await log.append(queue, Buffer.from(line), 1, claim.answers(), keys)
    })
    return stamped.answer
  }

  const single = new LineBuffer(1024)

  async function plainOne(plain: PlainEvents): Promise<string> {
    const seq = clock.next()
    single.length = 0
    plain.write(seq, single)
    const line = Buffer.from(single.taken())
    await log.append(queue, line, 1, [], keyOf && [plain.key(seq)])
    return answerOf(pkOf(line))
  }

  /** Encodes the good lines of a body; `claim` takes their keys. */
  async function encodeLines(body: Buffer, claim: Claim) {
    const lines = new LineBuffer(usualGrowth * body.length)
    let rows = 0
    const keys: string[] = []
    const repeats: (Promise<string> | string)[] = []
    let last = 0

    const read = (start: number, end: number) => eventOf(parseJson(lineText(body, start, end), 'the line'))
    const take = (event: Event, stampedBefore?: Stamped) => {
      const key = idempotencyKey(event._id, '_id')
      const name = key === undefined ? undefined : nameOfEvent(key)
      const first = name === undefined ? undefined : (claim.answer(name) ?? idempotency.first(name))
      if (first !== undefined) {
        repeats.push(first)
        return
      }
      const stamped = stampedBefore ?? stamp(event)
      const encoded = encodeOne(stamped)
      lines.text(encoded.line)
      rows++
      last = stamped.seq
      if (encoded.keys) keys.push(...encoded.keys)
      if (name !== undefined) claim.add(name, stamped.answer, stamped.seq)
    }

    const takePlain = (plain: PlainEvents) => {
      last = clock.next()
      plain.write(last, lines)
      rows++
      if (keyOf) keys.push(plain.key(last))
    }

    const bad = computeTogether
      ? await eachGroup(body, {
          read: (start, end) => stamp(read(start, end)),
          prepare: (group) => computeTogether(group.map(({ event }) => event)),
          take: (stamped) => take(stamped.event, stamped),
        })
      : await eachLine(body, (start, end) =>
          plain?.read(body, start, end) ? takePlain(plain) : take(read(start, end)),
        )
    const counts = { accepted: rows + repeats.length, ...bad }
    return { lines: lines.taken(), rows, last, keys: keyOf && keys, repeats, counts }
  }

  return {
    /** What is or will be answered to the first request with this key; undefined where there was none. */
    answered: (key: string, isBatch: boolean) => idempotency.first(isBatch ? nameOfBatch(key) : nameOfEvent(key)),

    /** Resolves to the answer once the event is on disk. */
    async one(body: Buffer, keyOfRequest?: string): Promise<string> {
      if (keyOfRequest === undefined && plain && isUtf8(body) && plain.read(body, 0, body.length))
        return plainOne(plain)
      const event = eventOf(parseJson(utf8(body, 'the body'), 'the event'))
      const given = [keyOfRequest, idempotencyKey(event._id, '_id')].filter((key) => key !== undefined)
      if (given.length > 0) return keyedOne(event, given.map(nameOfEvent))
      const stamped = stamp(event)
      if (computeTogether) await computeTogether([event])
      const { line, keys } = encodeOne(stamped)
      await log.append(queue, Buffer.from(line), 1, [], keys)
      return stamped.answer
    },

    /** Takes the good lines of an NDJSON text and lists the bad ones; resolves once the good ones are on disk. */
    async batch(body: Buffer, keyOfRequest?: string): Promise<{ answer: string; taken: number; refused: number }> {
      const name = keyOfRequest === undefined ? undefined : nameOfBatch(keyOfRequest)
      const first = name === undefined ? undefined : idempotency.first(name)
      if (first !== undefined) return { answer: await first, taken: 0, refused: 0 }
      const claim = idempotency.claim()
      if (name !== undefined) claim.add(name, '', 0)
      let answer = ''
      let taken = 0
      let refused = 0
      let repeated: (Promise<string> | string)[] = []
      await claim.settle(async () => {
        const { lines, rows, last, keys, repeats, counts } = await encodeLines(body, claim)
        answer = JSON.stringify({ errcode: 0, ...counts })
        taken = rows
        refused = counts.rejected
        repeated = repeats
        if (name !== undefined) claim.add(name, answer, last)
        if (taken > 0) await log.append(queue, lines, taken, claim.answers(), keys)
      })
      // Not before: two batches that repeat lines of each other would wait for each other.
      await Promise.all(repeated)
      return { answer, taken, refused }
    },
  }
}

const answerOf = (pk: string): string => `{"errcode":0,"_pk":${pk}}`

type Claim = ReturnType<ReturnType<typeof createIdempotency>['claim']>

export type StreamIngest = ReturnType<typeof createStreamIngest>

function eventOf(value: Json): Event {
  if (isObject(value)) return value
  throw new Refusal(`an event is a JSON object, got ${shown(value)}; several events go as NDJSON, one a line`)
}

/** The event's own `_pk`, else the clock's. */
function timeOf(event: Event, now_us: number): string {
  const own = event._pk
  if (own === undefined || own === null) return String(now_us)
  const text = encodeLong(own)
  if (text === undefined || text.startsWith('-')) {
    throw new Refusal(`_pk: expected a LONG of microseconds since 1970, not negative, got ${shown(own)}`)
  }
  return text
}

export const streamIsOff = (schema: string, stream: string) =>
  fault(
    'off',
    `stream ${schema}.${stream} is OFF and takes no events; PUT /stream/${schema}/${stream}/state {"state": 1} turns it on`,
  )
