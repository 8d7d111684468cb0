import { isDeepStrictEqual } from 'node:util'
import { dropRebuilds } from '../../activities/rebuild/drop-rebuilds.ts'
import type { Catalogue, SchemaRecord } from '../../infra/catalogue.ts'
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import type { Delivery } from '../../infra/delivery.ts'
import { fault } from '../../infra/faults.ts'
import type { Feeder } from '../../infra/feeder.ts'
import type { Logger } from '../../infra/logger.ts'
import type { EventColumns } from '../../sql/query/compile/source.ts'
import { feedsInto } from '../../sql/schema/ddl/feeds.ts'
import { dropGraph } from '../../sql/schema/ddl/graph.ts'
import { compileHasDatabase, createSchema, dropDatabase } from '../../sql/schema/ddl/schema.ts'
import { decodeSchema } from '../../sql/schema/decode.ts'
import { queueName, schemaGraph } from '../../sql/schema/names.ts'
import type { Schema } from '../../sql/schema/schema.ts'
import { parseJson } from '../ingest/json.ts'
import type { AnalystViews } from './analyst-views.ts'
import { changeLogs } from './log-change.ts'
import type { Registered } from './registered.ts'
import type { Registry } from './registry.ts'
import type { SchemaEdits } from './schema-edits.ts'
import type { InTurn } from './schema-turns.ts'
import type { StorageNames } from './storage-names.ts'
import { reasonOf } from './unfinished.ts'

export type SchemasDeps = {
  readonly clickhouse: ClickHouse
  readonly catalogue: Catalogue
  readonly registry: Registry
  readonly registered: Registered
  readonly edits: SchemaEdits
  readonly feeder: Feeder
  readonly delivery: Delivery
  readonly names: StorageNames
  readonly views: Pick<AnalystViews, 'of'>
  readonly logger: Logger
  readonly inTurn: InTurn
  /** Resolves once the other processes have followed what was written to the catalogue. */
  readonly agreed: () => Promise<void>
}

/** Registers schemas and takes them away: entirely or not at all, whatever happens in between. */
export function createSchemas({
  clickhouse,
  catalogue,
  registry,
  registered,
  edits,
  feeder,
  delivery,
  names,
  views,
  logger,
  inTurn,
  agreed,
}: SchemasDeps) {
  /** Schemas that could not be taken away entirely, with their bodies: no trace may be left when the name comes again. */
  const leftOver = new Map<string, string>()

  const run = async (statements: readonly string[]): Promise<void> => {
    for (const statement of statements) await clickhouse.run(statement)
  }

  async function unmake(name: string, body: string): Promise<void> {
    leftOver.set(name, body)
    await catalogue.putSchema({ name, body, state: 'dropping' })
    await agreed().catch((error: unknown) => logger.warn({ err: error, schema: name }, 'dropped all the same'))
    for (const queue of queuesOf(name, body)) await feeder.forget(queue)
    await dropRebuilds(clickhouse, name)
    await run([dropDatabase(name), ...dropGraph(schemaGraph(name))])
    await registered.forget(name)
    await catalogue.putSchema({ name, body: '', state: 'gone' })
    leftOver.delete(name)
    names.release(name, 'schema')
  }

  async function take(record: SchemaRecord, known?: ReadonlyMap<string, EventColumns>): Promise<void> {
    const { name, body, state } = record
    names.claim(name, 'schema')
    if (state === 'editing' || state === 'building' || state === 'filling') return edits.resume(record)
    if (state === 'ready') {
      const schema = registered.decode(body)
      registry.add(registered.schema(schema, body, known ?? (await edits.columns(name))))
      await delivery.attach(schema).catch((error: unknown) => attachLater(schema, error))
      return
    }
    logger.warn({ schema: name, state }, 'schema was left half-done, removing it')
    await unmake(name, body)
    registry.remove(name)
  }

  /** Queries answer meanwhile, and the log keeps what comes. */
  function attachLater(schema: Schema, error: unknown): void {
    logger.error({ err: error, schema: schema.name }, 'events are not taken from the log, trying again')
    edits.unfinished.later(schema.name, () => delivery.attach(schema), error)
  }

  /** One schema that fails keeps no other from being served. */
  async function takeOrLater(record: SchemaRecord, known?: ReadonlyMap<string, EventColumns>): Promise<void> {
    try {
      await take(record, known)
    } catch (error) {
      logger.error({ err: error, schema: record.name }, 'schema not served, trying again')
      registry.fail(record.name, reasonOf(error))
      edits.unfinished.later(record.name, () => take(record), error)
    }
  }

  async function unmakeOrLater(name: string, body: string): Promise<void> {
    try {
      await unmake(name, body)
    } catch (error) {
      logger.error({ err: error, schema: name }, 'schema not taken away entirely, trying again')
      edits.unfinished.later(name, () => unmake(name, body), error)
      throw error
    }
  }

  /** Takes a name for a schema. A database that is none of Weir's is left alone. */
  async function free(name: string): Promise<void> {
    const left = leftOver.get(name)
    if (left !== undefined) {
      await unmake(name, left)
      edits.unfinished.forget(name)
    }
    names.claim(name, 'schema')
    if ((await clickhouse.rows(compileHasDatabase(name))).length === 0) return
    names.release(name, 'schema')
    throw fault('conflict', `ClickHouse has a database ${name} that is none of Weir's; take another name`)
  }

  return {
    /** Reads the catalogue; undoes or ends what a crash left half-done. Runs before any event is fed. */
    async load(): Promise<void> {
      await registered.load()
      const records = await catalogue.schemas()
      await changeLogs({ clickhouse, catalogue, registered, delivery, logger }, records)
      const columns = await edits.allColumns()
      for (const record of records) await takeOrLater(record, columns.get(record.name))
    },

    /** Undoes or ends what another process left half-done. */
    end: (record: SchemaRecord): Promise<void> => take(record),

    /** Answers a message where the same schema is there already. */
    register: (body: string): Promise<string | undefined> =>
      inTurn(async () => {
        const posted = parseJson(body, 'the schema')
        const schema = registered.decode(body)
        const { name } = schema
        const present = registry.find(name)
        if (present) {
          if (isDeepStrictEqual(parseJson(present.body, 'the schema'), posted))
            return `schema ${name} is registered already`
          throw fault('conflict', `schema ${name} is registered already with other contents; PUT /stream replaces it`)
        }
        await free(name)
        try {
          await catalogue.putSchema({ name, body, state: 'making' })
          await run(createSchema(schema, views.of(schema)))
          await delivery.attach(schema)
          await catalogue.putSchema({ name, body, state: 'ready' })
        } catch (error) {
          await unmakeOrLater(name, body).catch(() => {})
          throw error
        }
        registry.add(registered.schema(schema, body))
        return undefined
      }),

    /** Takes a schema away with its events and aggregates; answers the names of its streams. */
    remove: (name: string): Promise<string[]> =>
      inTurn(async () => {
        const { schema, body, gate } = registry.schema(name)
        await gate.closed(async () => {
          await catalogue.putSchema({ name, body, state: 'dropping' })
          edits.abandon(name)
          registry.remove(name)
          await unmakeOrLater(name, body)
        })
        return schema.streams.map((stream) => stream.name)
      }),

    /** Answers whether the state changed. What feeds a filter or entity stream is there while it is ON. */
    setState: (schema: string, stream: string, on: boolean): Promise<boolean> =>
      inTurn(async () => {
        const present = await edits.whole(schema)
        const target = registry.stream(schema, stream)
        if (target.on === on) return false
        const feeds = feedsInto(present.schema, target.stream)
        const keep = () => registered.setState(target, on)
        if (feeds.length === 0) await keep()
        else
          await edits.refeed(
            present,
            feeds.map(({ create, drop }) => (on ? create : drop)),
            keep,
          )
        return true
      }),
  }
}

export type Schemas = ReturnType<typeof createSchemas>

/** The queues of a registered body. */
const queuesOf = (name: string, body: string): string[] =>
  decodeSchema(parseJson(body, 'the schema')).streams.map((stream) => queueName(name, stream.name))
