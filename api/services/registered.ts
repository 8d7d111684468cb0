import type { Catalogue } from '../../infra/catalogue.ts'
import type { Clock } from '../../infra/clock.ts'
import type { EventLog } from '../../infra/log/event-log.ts'
import type { Logger } from '../../infra/logger.ts'
import { type EventColumns, noColumns } from '../../sql/query/compile/source.ts'
import { downstream } from '../../sql/schema/columns.ts'
import { queueName } from '../../sql/schema/names.ts'
import type { Schema, Stream } from '../../sql/schema/schema.ts'
import { compileComputed, type Predict } from '../ingest/computed/compile.ts'
import { compileEncoder } from '../ingest/encode-event.ts'
import { createGate, type Gate } from '../ingest/gate.ts'
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
}

/** Makes what a request looks up of a schema: its streams with their compiled path of events. */
export function createRegistered({ catalogue, log, clock, logger, predict }: RegisteredDeps) {
  const pivots = new Map<string, Map<string, number>>()
  const off = new Set<string>()

  function streamOf(schema: Schema, stream: Stream, columns: EventColumns): RegisteredStream {
    const queue = queueName(schema.name, stream.name)
    const queues = schema.streams
      .filter((source) => source.kind === 'input' && feeds(schema, source, stream))
      .map((source) => queueName(schema.name, source.name))
    const ingest = stream.kind === 'input' ? { ingest: ingestOf(schema, stream, queue) } : {}
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
    return createStreamIngest({ queue, log, clock, encode, ...compute })
  }

  return {
    async load(): Promise<void> {
      for (const { stream, attribute, value } of await catalogue.pivots()) {
        pivots.set(stream, (pivots.get(stream) ?? new Map<string, number>()).set(attribute, value))
      }
      for (const { schema, stream, state } of await catalogue.streamStates()) {
        if (Number(state) === 0) off.add(queueName(schema, stream))
      }
    },

    /** `columns` are those of the events tables by stream; `gate` is kept from one edit to the next. */
    schema: (
      schema: Schema,
      body: string,
      columns: ReadonlyMap<string, EventColumns> = new Map(),
      gate: Gate = createGate(),
    ): RegisteredSchema => ({
      schema,
      body,
      gate,
      streams: new Map(
        schema.streams.map((stream) => [stream.name, streamOf(schema, stream, columns.get(stream.name) ?? noColumns)]),
      ),
    }),

    async setState(target: RegisteredStream, on: boolean): Promise<void> {
      const { schema, stream } = target
      await catalogue.putStreamState(schema.name, stream.name, on ? 1 : 0)
      if (on) off.delete(queueName(schema.name, stream.name))
      else off.add(queueName(schema.name, stream.name))
      target.on = on
    },

    /** A stream, or a schema, of that name that comes later is ON, and has pivots of its own. */
    forget(schema: string, stream?: string): Promise<void> {
      const isGone = (queue: string): boolean =>
        stream === undefined ? queue.startsWith(`${schema}.`) : queue === queueName(schema, stream)
      for (const queue of [...pivots.keys()].filter(isGone)) pivots.delete(queue)
      for (const queue of [...off].filter(isGone)) off.delete(queue)
      return catalogue.forget(schema, stream)
    },
  }
}

export type Registered = ReturnType<typeof createRegistered>

/** Whether events of `source` reach `target`: by itself, by filters, or as entities. */
function feeds(schema: Schema, source: Stream, target: Stream): boolean {
  return downstream(schema, source).some(
    (stream) => stream.name === target.name || stream.entities.some((entity) => entity.target === target.name),
  )
}
