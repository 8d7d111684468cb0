import { isDeepStrictEqual } from 'node:util'
import type { Catalogue } from '../../infra/catalogue.ts'
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import type { Clock } from '../../infra/clock.ts'
import { fault } from '../../infra/faults.ts'
import type { Feeder } from '../../infra/feeder.ts'
import type { EventLog } from '../../infra/log/event-log.ts'
import type { Logger } from '../../infra/logger.ts'
import { downstream } from '../../sql/schema/columns.ts'
import { dropGraph } from '../../sql/schema/ddl/graph.ts'
import { createSchema, dropDatabase } from '../../sql/schema/ddl/schema.ts'
import { decodeSchema } from '../../sql/schema/decode.ts'
import { queueName, schemaGraph } from '../../sql/schema/names.ts'
import type { Schema, Stream } from '../../sql/schema/schema.ts'
import { compileComputed, type Predict } from '../ingest/computed/compile.ts'
import { compileEncoder } from '../ingest/encode-event.ts'
import { parseJson } from '../ingest/json.ts'
import { createPivots } from '../ingest/pivots.ts'
import { createStreamIngest } from '../ingest/stream-ingest.ts'
import type { RegisteredSchema, RegisteredStream, Registry } from './registry.ts'

export type SchemasDeps = {
  readonly clickhouse: ClickHouse
  readonly catalogue: Catalogue
  readonly registry: Registry
  readonly log: EventLog
  readonly feeder: Feeder
  readonly clock: Clock
  readonly logger: Logger
  /** Fills PRED attributes; undefined where there is no model. */
  readonly predict: Predict
}

/** Registers schemas and takes them away: entirely or not at all, whatever happens in between. */
export function createSchemas(deps: SchemasDeps) {
  const { clickhouse, catalogue, registry, feeder, logger } = deps
  const pivots = new Map<string, Map<string, number>>()
  const off = new Set<string>()
  let turn: Promise<unknown> = Promise.resolve()

  /** One change of a schema at a time. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const mine = turn.then(work)
    turn = mine.catch(() => {})
    return mine
  }

  function registered(schema: Schema, body: string): RegisteredSchema {
    return {
      schema,
      body,
      streams: new Map(schema.streams.map((stream) => [stream.name, registeredStream(schema, stream)])),
    }
  }

  function registeredStream(schema: Schema, stream: Stream): RegisteredStream {
    const queue = queueName(schema.name, stream.name)
    const queues = schema.streams
      .filter((source) => source.kind === 'input' && feeds(schema, source, stream))
      .map((source) => queueName(schema.name, source.name))
    return {
      schema,
      stream,
      queues,
      on: !off.has(queue),
      ...(stream.kind === 'input' && { ingest: ingestOf(schema, stream, queue) }),
    }
  }

  function ingestOf(schema: Schema, stream: Stream, queue: string) {
    const known = pivots.get(queue) ?? new Map<string, number>()
    const streamPivots = createPivots(schema, stream, known, (attribute, value) => {
      pivots.set(queue, known.set(attribute, value))
      catalogue
        .putPivot(queue, attribute, value)
        .catch((error: unknown) => logger.warn({ err: error, queue }, 'pivot not kept'))
    })
    return createStreamIngest({
      queue,
      log: deps.log,
      clock: deps.clock,
      encode: compileEncoder(schema, stream, streamPivots),
      ...(stream.computed.length > 0 && { compute: compileComputed(stream.computed, deps.predict) }),
    })
  }

  async function make(schema: Schema): Promise<void> {
    for (const statement of createSchema(schema)) await clickhouse.run(statement)
  }

  async function unmake(name: string, body: string): Promise<void> {
    await catalogue.putSchema({ name, body, state: 'dropping' })
    await clickhouse.run(dropDatabase(name))
    for (const statement of dropGraph(schemaGraph(name))) await clickhouse.run(statement)
    await catalogue.putSchema({ name, body: '', state: 'gone' })
  }

  return {
    /** Reads the catalogue; undoes or ends what a crash left half-done. */
    async load(): Promise<void> {
      for (const { stream, attribute, value } of await catalogue.pivots()) {
        pivots.set(stream, (pivots.get(stream) ?? new Map<string, number>()).set(attribute, value))
      }
      for (const { schema, stream, state } of await catalogue.streamStates()) {
        if (Number(state) === 0) off.add(queueName(schema, stream))
      }
      for (const { name, body, state } of await catalogue.schemas()) {
        if (state === 'ready') registry.add(registered(decodeSchema(parseJson(body, 'the schema')), body))
        else {
          logger.warn({ schema: name, state }, 'schema was left half-done, removing it')
          await unmake(name, body)
        }
      }
    },

    /** Answers a message where the same schema is there already. */
    register: (body: string): Promise<string | undefined> =>
      inTurn(async () => {
        const posted = parseJson(body, 'the schema')
        const schema = decodeSchema(posted)
        const present = registry.find(schema.name)
        if (present) {
          if (isDeepStrictEqual(parseJson(present.body, 'the schema'), posted))
            return `schema ${schema.name} is registered already`
          throw fault(
            'conflict',
            `schema ${schema.name} is registered already with other contents; PUT /stream replaces it`,
          )
        }
        await catalogue.putSchema({ name: schema.name, body, state: 'making' })
        try {
          await make(schema)
          await catalogue.putSchema({ name: schema.name, body, state: 'ready' })
        } catch (error) {
          await unmake(schema.name, body).catch((failure: unknown) =>
            logger.error({ err: failure, schema: schema.name }, 'schema not undone'),
          )
          throw error
        }
        registry.add(registered(schema, body))
        return undefined
      }),

    /** Takes a schema away with its events and aggregates; answers the names of its streams. */
    remove: (name: string): Promise<string[]> =>
      inTurn(async () => {
        const { schema, body } = registry.schema(name)
        registry.remove(name)
        for (const stream of schema.streams) await feeder.forget(queueName(name, stream.name))
        await unmake(name, body)
        return schema.streams.map((stream) => stream.name)
      }),

    /** Answers whether the state changed. */
    setState: (schema: string, stream: string, on: boolean): Promise<boolean> =>
      inTurn(async () => {
        const registered = registry.stream(schema, stream)
        if (registered.on === on) return false
        await catalogue.putStreamState(schema, stream, on ? 1 : 0)
        if (on) off.delete(queueName(schema, stream))
        else off.add(queueName(schema, stream))
        registered.on = on
        return true
      }),
  }
}

export type Schemas = ReturnType<typeof createSchemas>

/** Whether events of `source` reach `target`: by itself, by filters, or as entities. */
function feeds(schema: Schema, source: Stream, target: Stream): boolean {
  const reached = downstream(schema, source)
  return reached.some(
    (stream) => stream.name === target.name || stream.entities.some((entity) => entity.target === target.name),
  )
}
