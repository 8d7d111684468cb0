import type { Catalogue } from '../../infra/catalogue.ts'
import type { Clock } from '../../infra/clock.ts'
import type { Delivery } from '../../infra/delivery.ts'
import type { EventLog } from '../../infra/log/event-log.ts'
import type { Logger } from '../../infra/logger.ts'
import { type EventColumns, noColumns } from '../../sql/query/compile/source.ts'
import { downstream } from '../../sql/schema/columns.ts'
import { decodeSchema } from '../../sql/schema/decode.ts'
import { queueName } from '../../sql/schema/names.ts'
import type { Schema, Stream } from '../../sql/schema/schema.ts'
import { compileComputed, type Predict } from '../ingest/computed/compile.ts'
import { compileEncoder } from '../ingest/encode-event.ts'
import { createGate, type Gate } from '../ingest/gate.ts'
import { parseJson } from '../ingest/json.ts'
import { compileKey } from '../ingest/key-of.ts'
import { createPivots } from '../ingest/pivots.ts'
import { createStreamIngest } from '../ingest/stream-ingest.ts'
import type { RegisteredSchema, RegisteredStream } from './registry.ts'

export type RegisteredDeps = {
  readonly catalogue: Catalogue
  readonly log: EventLog
  readonly clock: Clock
  readonly logger: Logger
  /** Fills PRED attributes; undefined where there is no model. */
  readonly predict: Predict
  readonly delivery: Pick<Delivery, 'redelivers'>
}

/** Makes what a request looks up of a schema: its streams with their compiled path of events. */
export function createRegistered({ catalogue, log, clock, logger, predict, delivery }: RegisteredDeps) {
  const pivots = new Map<string, Map<string, number>>()
  const off = new Set<string>()

  function streamOf(schema: Schema, stream: Stream, columns: EventColumns, rows: Schema): RegisteredStream {
    const queue = queueName(schema.name, stream.name)
    const queues = schema.streams
      .filter((source) => source.kind === 'input' && feeds(schema, source, stream))
      .map((source) => queueName(schema.name, source.name))
    const written = rows.streams.find(({ name }) => name === stream.name) ?? stream
    const ingest = stream.kind === 'input' ? { ingest: ingestOf(rows, written, queue) } : {}
    return { schema, stream, columns, queues, on: !off.has(queue), ...ingest }
  }

  function ingestOf(schema: Schema, stream: Stream, queue: string) {
    const known = pivots.get(queue) ?? new Map<string, number>()
    const streamPivots = createPivots(schema, stream, known, (attribute, value) => {
      pivots.set(queue, known.set(attribute, value))
      catalogue
        .putPivot(queue, attribute, value)
        .catch((error: unknown) => logger.warn({ err: error, queue }, 'pivot not kept'))
    })
    const encode = compileEncoder(schema, stream, streamPivots)
    const compute = stream.computed.length > 0 ? { compute: compileComputed(stream.computed, predict) } : {}
    const keyOf = compileKey(stream)
    return createStreamIngest({ queue, log, clock, encode, ...compute, ...(keyOf && { keyOf }) })
  }

  function forgetHere(schema: string, stream?: string): void {
    const isGone = (queue: string): boolean =>
      stream === undefined ? queue.startsWith(`${schema}.`) : queue === queueName(schema, stream)
    for (const queue of [...pivots.keys()].filter(isGone)) pivots.delete(queue)
    for (const queue of [...off].filter(isGone)) off.delete(queue)
  }

  async function readStates(): Promise<void> {
    const states = await catalogue.streamStates()
    off.clear()
    for (const { schema, stream, state } of states) if (Number(state) === 0) off.add(queueName(schema, stream))
  }

  return {
    async load(): Promise<void> {
      for (const { stream, attribute, value } of await catalogue.pivots()) {
        pivots.set(stream, (pivots.get(stream) ?? new Map<string, number>()).set(attribute, value))
      }
      await readStates()
    },
    readStates,

    /** A schema's body as its tables are made. */
    decode(body: string): Schema {
      const schema = decodeSchema(parseJson(body, 'the schema'))
      return delivery.redelivers ? { ...schema, redelivered: true } : schema
    },

    /**
     * `columns` are those of the events tables by stream; `gate` is kept from one edit to the next; `rows` says how events
     * are written, where an edit under way asks for more than the schema.
     */
    schema: (
      schema: Schema,
      body: string,
      columns: ReadonlyMap<string, EventColumns> = new Map(),
      gate: Gate = createGate(),
      rows: Schema = schema,
    ): RegisteredSchema => ({
      schema,
      body,
      gate,
      streams: new Map(
        schema.streams.map((stream) => [
          stream.name,
          streamOf(schema, stream, columns.get(stream.name) ?? noColumns, rows),
        ]),
      ),
    }),

    /** Names of a schema's streams that are OFF. */
    offStreams: (schema: string): ReadonlySet<string> =>
      new Set(
        [...off].filter((queue) => queue.startsWith(`${schema}.`)).map((queue) => queue.slice(schema.length + 1)),
      ),

    async setState(target: RegisteredStream, on: boolean): Promise<void> {
      const { schema, stream } = target
      await catalogue.putStreamState(schema.name, stream.name, on ? 1 : 0)
      if (on) off.delete(queueName(schema.name, stream.name))
      else off.add(queueName(schema.name, stream.name))
      target.on = on
    },

    /** Takes over a state that another process has set. */
    followState(schema: string, stream: string, on: boolean, target: RegisteredStream | undefined): void {
      if (on) off.delete(queueName(schema, stream))
      else off.add(queueName(schema, stream))
      if (target) target.on = on
    },

    /** A stream, or a schema, of that name that comes later is ON, and has pivots of its own. */
    forget(schema: string, stream?: string): Promise<void> {
      forgetHere(schema, stream)
      return catalogue.forget(schema, stream)
    },

    /** The same, where another process has taken it out of the catalogue. */
    forgetHere,
  }
}

export type Registered = ReturnType<typeof createRegistered>

/** Whether events of `source` reach `target`: by itself, by filters, or as entities. */
function feeds(schema: Schema, source: Stream, target: Stream): boolean {
  return downstream(schema, source).some(
    (stream) => stream.name === target.name || stream.entities.some((entity) => entity.target === target.name),
  )
}
