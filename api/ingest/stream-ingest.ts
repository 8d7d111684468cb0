import type { Clock } from '../../infra/clock.ts'
import { Fault, fault } from '../../infra/faults.ts'
import type { EventLog } from '../../infra/log/event-log.ts'
import { Refusal } from '../../sql/refusal.ts'
import type { EncodeEvent } from './encode-event.ts'
import { createIdempotency, idempotencyKey } from './idempotency.ts'
import { type Event, isObject, type Json, parseJson } from './json.ts'
import { encodeLong, shown } from './values.ts'

export type StreamIngestDeps = {
  readonly queue: string
  readonly log: EventLog
  readonly clock: Clock
  readonly encode: EncodeEvent
  /** Fills computed attributes in; absent where the stream has none. */
  readonly compute?: (event: Event) => void
  /** The event's key; absent where the stream declares none. Events without one are spread by `seq`. */
  readonly keyOf?: (event: Event, seq: number) => string
}

/** Bad lines that an answer lists; lines count from 1. */
const listedErrors = 100
/** Lines between two looks at the clock, and how long lines are taken before other requests get their turn. */
const linesAtOnce = 64
const turn_ms = 5

/** The path of a stream's events from JSON text to the log. Answers are JSON text. */
export function createStreamIngest({ queue, log, clock, encode, compute, keyOf }: StreamIngestDeps) {
  const idempotency = createIdempotency(queue, log)

  type Encoded = {
    readonly seq: number
    readonly answer: string
    readonly line: string
    readonly keys?: readonly string[]
  }

  function encodeOne(event: Event): Encoded {
    const seq = clock.next()
    const pk = timeOf(event, seq)
    if (compute) {
      event._pk ??= seq
      compute(event)
    }
    const line = encode(event, pk, seq)
    const answer = `{"errcode":0,"_pk":${pk}}`
    return keyOf ? { seq, answer, line, keys: [keyOf(event, seq)] } : { seq, answer, line }
  }

  async function keyedOne(event: Event, key: string): Promise<string> {
    const first = idempotency.first(key)
    if (first !== undefined) return first
    const { seq, answer, line, keys } = encodeOne(event)
    const claim = idempotency.claim()
    claim.add(key, answer, seq)
    await claim.settle(() => log.append(queue, line, 1, claim.answers(), keys))
    return answer
  }

  /** Encodes the good lines of a text; `claim` takes their keys. */
  async function encodeLines(text: string, claim: Claim) {
    const lines: string[] = []
    const keys: string[] = []
    const errors: { line: number; error: string }[] = []
    const repeats: (Promise<string> | string)[] = []
    let rejected = 0
    let number = 0
    let last = 0
    let turn = performance.now()
    for (const line of linesOf(text)) {
      number++
      if (number % linesAtOnce === 0 && performance.now() - turn > turn_ms) {
        await new Promise((resolve) => setImmediate(resolve))
        turn = performance.now()
      }
      if (line === '') continue
      try {
        const event = eventOf(parseJson(line, 'the line'))
        const key = idempotencyKey(event._id, '_id')
        const first = key === undefined ? undefined : (claim.answer(key) ?? idempotency.first(key))
        if (first !== undefined) repeats.push(first)
        else {
          const encoded = encodeOne(event)
          lines.push(encoded.line)
          last = encoded.seq
          if (encoded.keys) keys.push(...encoded.keys)
          if (key !== undefined) claim.add(key, encoded.answer, encoded.seq)
        }
      } catch (error) {
        rejected++
        if (errors.length < listedErrors) errors.push({ line: number, error: reasonOf(error) })
      }
    }
    return {
      lines,
      last,
      keys: keyOf && keys,
      repeats,
      counts: { accepted: lines.length + repeats.length, rejected, errors },
    }
  }

  return {
    /** Resolves to the answer once the event is on disk. */
    async one(text: string, keyOfRequest?: string): Promise<string> {
      const event = eventOf(parseJson(text, 'the event'))
      const key = keyOfRequest ?? idempotencyKey(event._id, '_id')
      if (key !== undefined) return keyedOne(event, key)
      const { answer, line, keys } = encodeOne(event)
      await log.append(queue, line, 1, [], keys)
      return answer
    },

    /** Takes the good lines of an NDJSON text and lists the bad ones; resolves once the good ones are on disk. */
    async batch(text: string, keyOfRequest?: string): Promise<{ answer: string; taken: number; refused: number }> {
      const first = keyOfRequest === undefined ? undefined : idempotency.first(keyOfRequest)
      if (first !== undefined) return { answer: await first, taken: 0, refused: 0 }
      const claim = idempotency.claim()
      if (keyOfRequest !== undefined) claim.add(keyOfRequest, '', 0)
      let answer = ''
      let taken = 0
      let refused = 0
      let repeated: (Promise<string> | string)[] = []
      await claim.settle(async () => {
        const { lines, last, keys, repeats, counts } = await encodeLines(text, claim)
        answer = JSON.stringify({ errcode: 0, ...counts })
        taken = lines.length
        refused = counts.rejected
        repeated = repeats
        if (keyOfRequest !== undefined) claim.add(keyOfRequest, answer, last)
        if (taken > 0) await log.append(queue, lines.join(''), taken, claim.answers(), keys)
      })
      // Not before: two batches that repeat lines of each other would wait for each other.
      await Promise.all(repeated)
      return { answer, taken, refused }
    },
  }
}

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

function* linesOf(text: string): Iterable<string> {
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\n', start)
    const end = feed === -1 ? text.length : feed
    yield text.slice(start, end).trim()
    start = end + 1
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return error.problems.join('; ')
  if (error instanceof Fault) return error.message
  throw error
}

export const streamIsOff = (schema: string, stream: string) =>
  fault(
    'off',
    `stream ${schema}.${stream} is OFF and takes no events; PUT /stream/${schema}/${stream}/state {"state": 1} turns it on`,
  )
