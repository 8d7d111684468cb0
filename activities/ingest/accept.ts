import { Fault, fault } from '../../base/faults.ts'
import { Refusal } from '../../base/refusal.ts'
import type { Arrivals } from '../../infra/log/arrivals.ts'
import type { Feeder } from '../../infra/log/port.ts'
import type { Metrics } from '../../infra/metrics.ts'
import { queueName } from '../../sql/schema/names.ts'
import type { RegisteredStream, Registry } from '../registry/registry.ts'
import type { StreamIngest } from '../registry/stream-ingest.ts'
import type { RefusedEvents } from './refused-events.ts'
import { streamIsOff } from './stream-ingest.ts'

export type AcceptDeps = {
  readonly registry: Registry
  readonly feeder: Pick<Feeder, 'pace'>
  readonly arrivals: Pick<Arrivals, 'begin'>
  readonly refusedEvents: Pick<RefusedEvents, 'add'>
  readonly metrics: Pick<Metrics, 'eventsAccepted' | 'eventsRefused'>
}

/** Events as they were sent: one, or as many as `body` has lines. */
export type Posted = {
  readonly body: Buffer
  readonly isBatch: boolean
  readonly idempotencyKey?: string | undefined
  /** Turns a body of another form into events; a refusal of it is one of the stream's. */
  readonly read?: (() => Pick<Posted, 'body' | 'isBatch'> | undefined) | undefined
  /** How a refused line, counted from 1, is listed: by its place in what the lines were made of. */
  readonly refusedAs?: (line: number, reason: string) => string
  /** The number under which a refused line, counted from 1, is listed, where the body has some lines of another one. */
  readonly numberOf?: (line: number) => number
  /** By a key with the scope ingest and without write: it may stand in a page that everybody reads. */
  readonly isOfPage?: boolean
}

/** The time for which a Kafka that was silent may still store an event that was refused. */
const uncertain_ms = 65_000

/** The one door for events, posted or inserted by SQL: resolves to the answer's text once they are safe. */
export function createAccept({ registry, feeder, arrivals, refusedEvents, metrics }: AcceptDeps) {
  async function take(target: RegisteredStream, of: object, posted: Posted): Promise<string> {
    const ingest = ingestOf(target)
    const stream = queueName(target.schema.name, target.stream.name)
    const { idempotencyKey, isOfPage, refusedAs, numberOf } = posted
    let { body, isBatch } = posted
    if (!target.on) {
      if (idempotencyKey !== undefined) ({ body, isBatch } = posted.read?.() ?? posted)
      const first = idempotencyKey === undefined ? undefined : await ingest.answered(idempotencyKey, { body, isBatch })
      if (first !== undefined) return first
      throw streamIsOff(target.schema.name, target.stream.name)
    }
    const arrival = arrivals.begin(stream)
    let mayBeStored = false
    try {
      ;({ body, isBatch } = posted.read?.() ?? posted)
      if (!isBatch) {
        const answer = await ingest.one(body, idempotencyKey, isOfPage)
        metrics.eventsAccepted.inc({ stream })
        return answer
      }
      const { answer, refused } = await ingest.batch(
        body,
        idempotencyKey,
        (events, last) => {
          arrival.advance(last)
          metrics.eventsAccepted.inc({ stream }, events)
        },
        (line, reason) => {
          const number = numberOf?.(line.number) ?? line.number
          refusedEvents.add(stream, of, refusedAs?.(line.number, reason) ?? reason, body, { ...line, number })
        },
        isOfPage,
      )
      metrics.eventsRefused.inc({ stream }, refused)
      return answer
    } catch (error) {
      if (error instanceof Refusal || (error instanceof Fault && error.kind === 'invalid')) {
        metrics.eventsRefused.inc({ stream })
        if (!isBatch) refusedEvents.add(stream, of, error.message, body, { start: 0, end: body.length })
      }
      mayBeStored = error instanceof Fault && error.kind === 'unavailable'
      throw error
    } finally {
      if (mayBeStored) setTimeout(arrival.end, uncertain_ms).unref()
      else arrival.end()
    }
  }

  return async (schema: string, stream: string, posted: Posted): Promise<string> => {
    await feeder.pace(queueName(schema, stream))
    // The work that held the events back at the gate may have changed the stream: it is looked up behind the gate.
    const { gate } = registry.schema(schema)
    return gate.pass(() => take(registry.stream(schema, stream), gate, posted))
  }
}

export type Accept = ReturnType<typeof createAccept>

/** Fault `invalid` for a stream that takes no posted events. */
export function ingestOf({ schema, stream, ingest }: RegisteredStream): StreamIngest {
  if (ingest) return ingest
  throw fault('invalid', `${schema.name}.${stream.name} is fed by other streams and takes no posted events`)
}
