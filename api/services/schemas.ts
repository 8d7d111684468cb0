import { isDeepStrictEqual } from 'node:util'
import type { Catalogue, SchemaRecord } from '../../infra/catalogue.ts'
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import { fault } from '../../infra/faults.ts'
import type { Feeder } from '../../infra/feeder.ts'
import type { Logger } from '../../infra/logger.ts'
import { dropGraph } from '../../sql/schema/ddl/graph.ts'
import { compileHasDatabase, createSchema, dropDatabase } from '../../sql/schema/ddl/schema.ts'
import { decodeSchema } from '../../sql/schema/decode.ts'
import { queueName, schemaGraph } from '../../sql/schema/names.ts'
import { parseJson } from '../ingest/json.ts'
import type { Registered } from './registered.ts'
import type { Registry } from './registry.ts'
import type { SchemaEdits } from './schema-edits.ts'
import type { InTurn } from './schema-turns.ts'
import type { StorageNames } from './storage-names.ts'

export type SchemasDeps = {
  readonly clickhouse: ClickHouse
  readonly catalogue: Catalogue
  readonly registry: Registry
  readonly registered: Registered
  readonly edits: SchemaEdits
  readonly feeder: Feeder
  readonly names: StorageNames
  readonly logger: Logger
  readonly inTurn: InTurn
}

/** Registers schemas and takes them away: entirely or not at all, whatever happens in between. */
export function createSchemas({
  clickhouse,
  catalogue,
  registry,
  registered,
  edits,
  feeder,
  names,
  logger,
  inTurn,
}: SchemasDeps) {
  /** Schemas that could not be taken away entirely, with their bodies: no trace may be left when the name comes again. */
  const leftOver = new Map<string, string>()

  const run = async (statements: readonly string[]): Promise<void> => {
    for (const statement of statements) await clickhouse.run(statement)
  }

  async function unmake(name: string, body: string): Promise<void> {
    leftOver.set(name, body)
    await catalogue.putSchema({ name, body, state: 'dropping' })
    for (const queue of queuesOf(name, body)) await feeder.forget(queue)
    await run([dropDatabase(name), ...dropGraph(schemaGraph(name))])
    await registered.forget(name)
    await catalogue.putSchema({ name, body: '', state: 'gone' })
    leftOver.delete(name)
    names.release(name, 'schema')
  }

  async function take(record: SchemaRecord): Promise<void> {
    const { name, body, state } = record
    names.claim(name, 'schema')
    if (state === 'editing') return edits.resume(record)
    if (state === 'ready') {
      const schema = decodeSchema(parseJson(body, 'the schema'))
      registry.add(registered.schema(schema, body, await edits.columns(name)))
      return
    }
    logger.warn({ schema: name, state }, 'schema was left half-done, removing it')
    await unmake(name, body)
  }

  /** Takes a name for a schema. A database that is none of Weir's is left alone. */
  async function free(name: string): Promise<void> {
    const left = leftOver.get(name)
    if (left !== undefined) await unmake(name, left)
    names.claim(name, 'schema')
    if ((await clickhouse.rows(compileHasDatabase(name))).length === 0) return
    names.release(name, 'schema')
    throw fault('conflict', `ClickHouse has a database ${name} that is none of Weir's; take another name`)
  }

  return {
    /** Reads the catalogue; undoes or ends what a crash left half-done. Runs before any event is fed. */
    async load(): Promise<void> {
      await registered.load()
      for (const record of await catalogue.schemas()) await take(record)
    },

    /** Answers a message where the same schema is there already. */
    register: (body: string): Promise<string | undefined> =>
      inTurn(async () => {
        const posted = parseJson(body, 'the schema')
        const schema = decodeSchema(posted)
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
          await run(createSchema(schema))
          await catalogue.putSchema({ name, body, state: 'ready' })
        } catch (error) {
          await unmake(name, body).catch((failure: unknown) =>
            logger.error({ err: failure, schema: name }, 'schema not undone'),
          )
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
          await unmake(name, body)
        })
        return schema.streams.map((stream) => stream.name)
      }),

    /** Answers whether the state changed. */
    setState: (schema: string, stream: string, on: boolean): Promise<boolean> =>
      inTurn(async () => {
        const target = registry.stream(schema, stream)
        if (target.on === on) return false
        await registered.setState(target, on)
        return true
      }),
  }
}

export type Schemas = ReturnType<typeof createSchemas>

/** The queues of a registered body. */
const queuesOf = (name: string, body: string): string[] =>
  decodeSchema(parseJson(body, 'the schema')).streams.map((stream) => queueName(name, stream.name))
