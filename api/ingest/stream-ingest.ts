import type { Clock } from '../../infra/clock.ts'
import { fault } from '../../infra/faults.ts'
import type { EventLog } from '../../infra/log/event-log.ts'
import { Refusal } from '../../sql/refusal.ts'
import type { EncodeEvent } from './encode-event.ts'
import { type Event, isObject, type Json, parseJson } from './json.ts'
import { encodeLong, shown } from './values.ts'

export type StreamIngestDeps = {
  readonly queue: string
  readonly log: EventLog
  readonly clock: Clock
  readonly encode: EncodeEvent
  /** Fills computed attributes in; absent where the stream has none. */
  readonly compute?: (event: Event) => void
}

export type BatchAnswer = {
  readonly accepted: number
  readonly rejected: number
  /** The first bad lines; lines count from 1. */
  readonly errors: readonly { readonly line: number; readonly error: string }[]
}

const listedErrors = 100
/** Lines between two looks at the clock, and how long lines are taken before other requests get their turn. */
const linesAtOnce = 64
const turn_ms = 5

/** The path of a stream's events from JSON text to the log. */
export function createStreamIngest({ queue, log, clock, encode, compute }: StreamIngestDeps) {
  const encodeOne = (event: Json): { pk: string; line: string } => {
    if (!isObject(event)) throw new Refusal(`an event is a JSON object, got ${shown(event)}`)
    const seq = clock.next()
    const pk = timeOf(event, seq)
    if (compute) {
      event['_pk'] ??= seq
      compute(event)
    }
    return { pk, line: encode(event, pk, seq) }
  }

  return {
    /** Resolves to the event's `_pk` once it is on disk. */
    async one(text: string): Promise<string> {
      const { pk, line } = encodeOne(parseJson(text, 'the event'))
      await log.append(queue, line, 1)
      return pk
    },

    /** Takes the good lines of an NDJSON text and lists the bad ones; resolves once the good ones are on disk. */
    async batch(text: string): Promise<BatchAnswer> {
      const lines: string[] = []
      const errors: { line: number; error: string }[] = []
      let rejected = 0
      let turn = performance.now()
      let number = 0
      for (const line of linesOf(text)) {
        number++
        if (number % linesAtOnce === 0 && performance.now() - turn > turn_ms) {
          await new Promise((resolve) => setImmediate(resolve))
          turn = performance.now()
        }
        if (line === '') continue
        try {
          lines.push(encodeOne(parseJson(line, 'the line')).line)
        } catch (error) {
          rejected++
          if (errors.length < listedErrors) errors.push({ line: number, error: reasonOf(error) })
        }
      }
      if (lines.length > 0) await log.append(queue, lines.join(''), lines.length)
      return { accepted: lines.length, rejected, errors }
    },
  }
}

export type StreamIngest = ReturnType<typeof createStreamIngest>

/** The event's own `_pk`, else the clock's. */
function timeOf(event: Event, now_us: number): string {
  const own = event['_pk']
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
  if (error instanceof Error && error.name === 'Fault') return error.message
  throw error
}

export const streamIsOff = (schema: string, stream: string) =>
  fault(
    'off',
    `stream ${schema}.${stream} is OFF and takes no events; PUT /stream/${schema}/${stream}/state {"state": 1} turns it on`,
  )
