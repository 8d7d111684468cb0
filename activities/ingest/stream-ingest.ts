import { isUtf8 } from 'node:buffer'
import { fault } from '../../base/faults.ts'
import { type Event, isObject, type Json, utf8 } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'
import { parseAlone } from '../../base/several-objects.ts'
import type { Clock } from '../../infra/clock.ts'
import type { ByteBudget } from '../../infra/limits/byte-budget.ts'
import type { EventLog } from '../../infra/log/port.ts'
import type { Compute } from '../events/computed/compile.ts'
import type { EncodeEvent } from '../events/encode-event.ts'
import { createTimeNotes, type OddTime, ownTime } from '../events/event-time.ts'
import { LineBuffer } from '../events/plain/line-buffer.ts'
import { type PlainEvents, pkOf } from '../events/plain/plain-events.ts'
import { shown } from '../events/values.ts'
import type { StreamIngest } from '../registry/stream-ingest.ts'
import type { StreamSequencer } from '../rules/sequencer/work.ts'
import { createAppendTurn } from './append-turn.ts'
import { createBatchIngest } from './batch-ingest.ts'
import {
  answerTo,
  createIdempotency,
  hashOf,
  idempotencyKey,
  type NamedKey,
  nameOfBatch,
  nameOfEvent,
} from './idempotency.ts'
import { createLineParts } from './line-parts.ts'
import { createOneEvent } from './one-event.ts'
import type { EncodedEvent, Stamped } from './part.ts'
import { createTurnParts } from './turn-parts.ts'

export type StreamIngestDeps = {
  readonly queue: string
  /** Seconds that events are kept, 0 for ever. */
  readonly window: number
  readonly log: EventLog
  readonly clock: Clock
  readonly encode: EncodeEvent
  /** The quick way of events that it reads; absent where the stream's need more. */
  readonly plain?: PlainEvents
  /** Fills computed attributes in; absent where the stream has none. */
  readonly compute?: Compute
  /** The event's key; absent where the stream declares none. Events without one are spread by `seq`. */
  readonly keyOf?: (event: Event, seq: number) => string
  /** The way of events that rules observe; absent where none does. */
  readonly sequencer?: StreamSequencer
  /** The memory for the lines of all batches, beyond that for their bodies. */
  readonly room: Pick<ByteBudget, 'takeNow' | 'give'>
}

/** A stream's buffer for single events, and the size beyond which it is made anew. */
const usualLine = 1024
const longLine = 64 * 1024
/** Events of a batch that models predict before they go to the log together. */
const maxPredicted = 2_048

/** The path of a stream's events from JSON text to the log. Answers are JSON text. */
export function createStreamIngest(deps: StreamIngestDeps): StreamIngest {
  const { queue, window, log, clock, encode, plain, compute, keyOf, room, sequencer } = deps
  const times = createTimeNotes(queue, window)
  const { answered } = sequencer ?? {}
  const idempotency = createIdempotency(
    queue,
    answered ? { answered: (_, key) => answered(key) ?? log.answered(queue, key) } : log,
  )

  const computeEach = compute?.kind === 'each' ? compute.compute : undefined
  const computeTogether = compute?.kind === 'together' ? compute.compute : undefined

  function stamp(event: Event, isOfPage: boolean): Stamped {
    const seq = clock.next()
    const own = event._pk
    if (own === undefined || own === null) {
      if (compute) event._pk = seq
      const pk = String(seq)
      return { event, pk, seq, answer: answerOf(pk) }
    }
    const pk = ownTime(own)
    const time = Number(pk)
    if (typeof own === 'string') event._pk = Number.isSafeInteger(time) ? time : BigInt(pk)
    const odd = times.oddityOf(time, seq)
    if (isOfPage) times.refuseOfPage(odd, pk)
    return { event, pk, seq, answer: oneAnswer(pk, odd), ...(odd && { odd }) }
  }

  const oneAnswer = (pk: string, odd: OddTime | undefined): string =>
    odd === undefined ? answerOf(pk) : answerOf(pk, [times.ofEvent(odd, pk)])

  function encodeOne({ event, pk, seq }: Pick<Stamped, 'event' | 'pk' | 'seq'>): EncodedEvent {
    if (computeEach) computeEach(event)
    const line = encode(event, pk, seq)
    return keyOf ? { line, keys: [keyOf(event, seq)] } : { line }
  }

  let single = new LineBuffer(usualLine)

  function writePlain(plain: PlainEvents, seq: number, isOfPage: boolean) {
    try {
      const time = plain.time() ?? seq
      const odd = times.oddityOf(time, seq)
      if (isOfPage) times.refuseOfPage(odd, time)
      single.length = 0
      plain.write(seq, single)
      const line = Buffer.from(single.taken())
      if (single.bytes.length > longLine) single = new LineBuffer(usualLine)
      return { line, keys: keyOf && [plain.key(seq)], odd }
    } finally {
      plain.release()
    }
  }

  async function plainOne(plain: PlainEvents, isOfPage: boolean): Promise<string> {
    const { line, keys, odd } = writePlain(plain, clock.next(), isOfPage)
    await log.append(queue, line, 1, [], keys)
    return oneAnswer(pkOf(line), odd)
  }

  const readLine = (text: string): Event => eventOf(parseAlone(text, 'the line'))
  const appending = { queue, log, encodeOne, hasKeys: keyOf !== undefined }
  const take = sequencer?.take ?? createAppendTurn({ ...appending, computeTogether })
  const takeOne = createOneEvent({ sequencer, take, idempotency, stamp })
  const openParts =
    sequencer || computeTogether
      ? createTurnParts({
          turns: sequencer ?? { take, isOneByOne: false, groupOf: () => maxPredicted },
          idempotency,
          stamp,
        })
      : createLineParts({ ...appending, clock, idempotency, room, times, stamp, ...(plain && { plain }) })
  const batch = createBatchIngest({ idempotency, times, read: readLine, openParts })

  return {
    async answered(key, { body, isBatch }) {
      const first = await idempotency.first(isBatch ? nameOfBatch(key) : nameOfEvent(key))
      return first === undefined ? undefined : answerTo(first, await hashOf(body))
    },

    async one(body, keyOfRequest, isOfPage = false) {
      if (keyOfRequest === undefined && plain && isUtf8(body) && plain.read(body, 0, body.length))
        return plainOne(plain, isOfPage)
      const bytes = body.length
      if (sequencer?.plain && keyOfRequest === undefined && isUtf8(body)) {
        const line = sequencer.plain.read(body, 0, bytes, false)
        sequencer.plain.release()
        if (line) return takeOne({ event: line.event, plain: line, bytes }, [], isOfPage)
      }
      const event = eventOf(parseAlone(utf8(body, 'the body'), 'the event'))
      const id = idempotencyKey(event._id, '_id')
      const names: readonly NamedKey[] = [
        ...(keyOfRequest === undefined ? [] : [{ name: nameOfEvent(keyOfRequest), hash: await hashOf(body) }]),
        ...(id === undefined ? [] : [{ name: nameOfEvent(id) }]),
      ]
      return takeOne({ event, bytes }, names, isOfPage)
    },

    batch,
  }
}

const answerOf = (pk: string, notes?: readonly string[]): string =>
  notes === undefined ? `{"errcode":0,"_pk":${pk}}` : `{"errcode":0,"_pk":${pk},"error":${JSON.stringify(notes)}}`

function eventOf(value: Json): Event {
  if (isObject(value)) return value
  throw new Refusal(`an event is a JSON object, got ${shown(value)}; several events go as NDJSON, one a line`)
}

export const streamIsOff = (schema: string, stream: string) =>
  fault(
    'off',
    `stream ${schema}.${stream} is OFF and takes no events; PUT /stream/${schema}/${stream}/state {"state": 1} turns it on`,
  )
