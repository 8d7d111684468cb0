import type { Heard } from '../../base/decode/wire-object.ts'
import { parseJson } from '../../base/json.ts'
import type { Clock } from '../../infra/clock.ts'
import type { Delivery } from '../../infra/log/delivery.ts'
import type { EventLog } from '../../infra/log/port.ts'
import { hashOf } from '../../infra/memory/spaces.ts'
import { type EventColumns, noColumns } from '../../sql/query/compile/source.ts'
import { decodeSchema } from '../../sql/schema/decode.ts'
import { sourcesOf } from '../../sql/schema/made.ts'
import { queueName } from '../../sql/schema/names.ts'
import type { Schema, Stream } from '../../sql/schema/schema.ts'
import { compileComputed, type Predict } from '../events/computed/compile.ts'
import { compileEncoder } from '../events/encode-event.ts'
import { compileKey, keyNames } from '../events/key-of.ts'
import { createPivots } from '../events/pivots.ts'
import { compilePlainEvents } from '../events/plain/plain-events.ts'
import { compilePlainLines } from '../events/plain/plain-lines.ts'
import { createStreamIngest, type StreamIngestDeps } from '../ingest/stream-ingest.ts'
import { createDrainGate, type DrainGate } from '../registry/drain-gate.ts'
import type { RegisteredSchema, RegisteredStream } from '../registry/registry.ts'
import type { Rules } from '../rules/rules.ts'
import type { Sequencer } from '../rules/sequencer/sequencer.ts'
import { compileStreamPath, overwrittenIn } from '../rules/sequencer/stream-path.ts'
import type { StreamSequencer } from '../rules/sequencer/work.ts'
import type { StreamStates } from './stream-states.ts'

/** Makes the function that fills the PRED attributes of a schema's stream. */
export type EventPredictor = (schema: string, queue: string) => Predict

export type SchemaCompilerDeps = {
  readonly states: StreamStates
  readonly log: EventLog
  readonly clock: Clock
  readonly predictor: EventPredictor
  readonly delivery: Pick<Delivery, 'redelivers'>
  readonly room: StreamIngestDeps['room']
  readonly rules: Pick<Rules, 'sequencerOf'>
}

/** Makes the entry of a schema that requests look up: its streams with their compiled path of events. */
export function createSchemaCompiler({ states, log, clock, predictor, delivery, room, rules }: SchemaCompilerDeps) {
  function streamOf(
    schema: Schema,
    stream: Stream,
    columns: EventColumns,
    rows: Schema,
    sequencer: Sequencer | undefined,
  ): RegisteredStream {
    const queue = queueName(schema.name, stream.name)
    const queues = sourcesOf(schema, stream).map((source) => queueName(schema.name, source.name))
    const written = rows.streams.find(({ name }) => name === stream.name) ?? stream
    const ingest = stream.kind === 'input' ? { ingest: ingestOf(rows, written, queue, sequencer?.of(stream.name)) } : {}
    return { schema, stream, columns, queues, on: states.isOn(queue), ...ingest }
  }

  /** The writer of a stream's events. */
  function encoderOf(schema: Schema, stream: Stream, queue: string) {
    const known = states.pivotsOf(queue)
    const keepPivot = (attribute: string, value: number) => states.putPivot(queue, known, attribute, value)
    const pivots = createPivots(schema, stream, known, keepPivot)
    return { pivots, encode: compileEncoder(schema, stream, pivots) }
  }

  /** The sequencer of a schema's events, where it has rules; `rows` says how they are written, `version` tells both from others. */
  const sequencerOf = (schema: Schema, rows: Schema, version: string, gate: DrainGate): Sequencer | undefined =>
    rules.sequencerOf(
      schema,
      (stream, remembered) => {
        const queue = queueName(schema.name, stream.name)
        const written = rows.streams.find(({ name }) => name === stream.name) ?? stream
        const { pivots, encode } = encoderOf(rows, written, queue)
        const overwritten = new Set([...overwrittenIn(stream), ...overwrittenIn(written)])
        const plainLines = (of: ReadonlySet<string>) =>
          stream.kind === 'input' ? compilePlainLines({ stream: written, pivots, overwritten: of }) : undefined
        const plain = plainLines(overwritten)
        return compileStreamPath({
          stream,
          queue,
          isOn: () => states.isOn(queue),
          encode,
          plain,
          sent: overwritten.size === 0 ? plain : plainLines(new Set()),
          predict: predictor(schema.name, queue),
          remembered,
        })
      },
      version,
      gate,
    )

  function ingestOf(schema: Schema, stream: Stream, queue: string, sequencer: StreamSequencer | undefined) {
    const { pivots, encode } = encoderOf(schema, stream, queue)
    const predict = predictor(schema.name, queue)
    const compute = stream.computed.length > 0 ? { compute: compileComputed(stream.computed, stream, predict) } : {}
    const keyOf = compileKey(stream)
    const more = { ...compute, ...(keyOf && { keyOf }) }
    const plain = sequencer ? undefined : compilePlainEvents({ stream, pivots, keyNames: keyNames(stream), ...more })
    return createStreamIngest({
      queue,
      window: stream.window,
      log,
      clock,
      encode,
      room,
      ...(plain && { plain }),
      ...(sequencer && { sequencer }),
      ...more,
    })
  }

  return {
    /** A schema's body as its tables are made. */
    decode(body: string, notes?: Heard): Schema {
      const schema = decodeSchema(parseJson(body, 'the schema'), notes)
      return delivery.redelivers ? { ...schema, redelivered: true } : schema
    },

    /**
     * `columns` are those of the events tables by stream; `gate` is kept from one edit to the next; `rows` says how events
     * are written, where an edit under way asks for more than the schema.
     */
    compile: (
      schema: Schema,
      body: string,
      columns: ReadonlyMap<string, EventColumns> = new Map(),
      gate: DrainGate = createDrainGate(),
      rows: Schema = schema,
    ): RegisteredSchema => {
      const sequencer = sequencerOf(schema, rows, hashOf([body, rows === schema]), gate)
      return {
        schema,
        body,
        gate,
        streams: new Map(
          schema.streams.map((stream) => [
            stream.name,
            streamOf(schema, stream, columns.get(stream.name) ?? noColumns, rows, sequencer),
          ]),
        ),
      }
    },
  }
}

export type SchemaCompiler = ReturnType<typeof createSchemaCompiler>
