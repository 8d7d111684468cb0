import { z } from 'zod'
import { fault } from '../../base/faults.ts'
import { parseJson } from '../../base/json.ts'
import type { Exclusively } from '../../base/mutex.ts'
import type { Catalogue } from '../../infra/catalogue/catalogue.ts'
import type { Deletion } from '../../infra/catalogue/deletions.ts'
import { type ClickHouse, runAll } from '../../infra/clickhouse/clickhouse.ts'
import type { Delivery } from '../../infra/log/delivery.ts'
import type { Feeder } from '../../infra/log/port.ts'
import type { Logger } from '../../infra/logger.ts'
import { asideDatabase, asideGraph, createAsideDatabase, dropAsideDatabase } from '../../sql/aside.ts'
import { changeLog } from '../../sql/schema/ddl/edit/switch-log.ts'
import { dropTable, dropView } from '../../sql/schema/ddl/feeds.ts'
import { forgetGraph } from '../../sql/schema/ddl/gone.ts'
import { createDatabase, createFeeds, createTables, dropDatabase } from '../../sql/schema/ddl/schema.ts'
import { decodeSchema } from '../../sql/schema/decode.ts'
import { queueNames, schemaGraph } from '../../sql/schema/names.ts'
import type { Registry } from '../registry/registry.ts'
import type { Rules } from '../rules/rules.ts'
import type { Restorer } from '../undo/deletions.ts'
import { moveTables, passingTables, storedTables } from '../undo/moved-tables.ts'
import type { AnalystViews } from './analyst-views.ts'
import { claimName } from './claim-name.ts'
import type { SchemaCompiler } from './compile-schema.ts'
import type { SchemaEdits } from './edit/edits.ts'
import { dropRebuilds } from './rebuild/drop-rebuilds.ts'
import type { StorageNames } from './storage-names.ts'
import { type StreamStates, statesOfStreams } from './stream-states.ts'

/** The parts by which whole schemas are made and taken away. */
export type SchemaMakingDeps = {
  readonly clickhouse: ClickHouse
  readonly catalogue: Catalogue
  readonly registry: Registry
  readonly compiler: SchemaCompiler
  readonly states: StreamStates
  readonly edits: SchemaEdits
  readonly feeder: Feeder
  readonly delivery: Delivery
  readonly names: StorageNames
  readonly views: Pick<AnalystViews, 'of'>
  readonly logger: Logger
  readonly exclusively: Exclusively
  /** Resolves once the other processes have followed the catalogue. */
  readonly agreed: () => Promise<void>
  /** Throws where this process may have lost its lease. */
  readonly check: () => void
}

export type GraphAside = {
  /** Sets the tables of a schema's graph aside under the id of its record. */
  readonly setAside: (graph: string, id: string) => Promise<void>
  readonly bringBack: (graph: string, id: string, redelivered?: true) => Promise<void>
}

export type SchemaRestorerDeps = SchemaMakingDeps & {
  readonly graphs: GraphAside
  readonly rules: Pick<Rules, 'forget'>
}

const deletedSchema = z.object({
  body: z.string(),
  /** The log to which its tables are fitted. */
  log: z.enum(['kafka', 'embedded']).optional(),
  states: statesOfStreams.optional(),
})
type DeletedSchema = z.infer<typeof deletedSchema>

export const bodyOfDeletion = ({ body, log, states }: DeletedSchema): string => JSON.stringify({ body, log, states })
const readDeletedSchema = (body: string): DeletedSchema => deletedSchema.parse(JSON.parse(body))

/** Whether a deleted schema had that stream and no other: its deletion was the schema's. */
export function isSoleStream({ body }: Pick<Deletion, 'body'>, stream: string): boolean {
  const { streams } = decodeSchema(parseJson(readDeletedSchema(body).body, 'the schema'))
  return streams.length === 1 && streams[0]?.name === stream
}

/** Sets the tables of schemas aside and puts them back: the tables that hold rows move, all others are made anew. */
export function createSchemaRestorer(deps: SchemaRestorerDeps): Restorer {
  const { clickhouse, catalogue, registry, compiler, states, edits, feeder, delivery, names, views, graphs } = deps
  const { rules, logger, exclusively, agreed, check } = deps
  const log = delivery.redelivers ? 'kafka' : 'embedded'
  const run = (statements: readonly string[]): Promise<void> => runAll(clickhouse, statements)

  /** No process takes an event of it any more, and all that were acknowledged are in its tables. */
  async function withdraw(name: string, note: (body: string) => Promise<void>): Promise<void> {
    const present = registry.find(name)
    if (!present) return
    await edits.leave(present, async () => {
      await note(
        bodyOfDeletion({ body: present.body, log, states: await states.of(name, [...present.streams.keys()]) }),
      )
      await catalogue.putSchema({ name, body: '', state: 'gone' })
      edits.abandon(name)
      registry.remove(name)
    })
  }

  return {
    exclusively,

    async setAside({ id, name, body }, note) {
      await withdraw(name, note)
      // A process that was cut off between its writes has left it in the catalogue.
      await catalogue.putSchema({ name, body: '', state: 'gone' })
      await agreed().catch((error: unknown) =>
        logger.warn({ err: error, schema: name }, 'other processes have not followed the deletion of a schema'),
      )
      check()
      const schema = compiler.decode(readDeletedSchema(body).body)
      for (const queue of queueNames(schema)) await feeder.forget(queue)
      await rules.forget(name)
      await dropRebuilds(clickhouse, name)
      const drop = { view: (view: string) => dropView(name, view), table: (table: string) => dropTable(name, table) }
      await run([createAsideDatabase(id), ...(await passingTables(clickhouse, name, drop))])
      const stored = await storedTables(clickhouse, name)
      await moveTables(
        clickhouse,
        stored.map((table) => ({ from: { database: name, table }, to: { database: asideDatabase(id), table } })),
      )
      await graphs.setAside(schemaGraph(name), id)
      const left = await storedTables(clickhouse, name)
      if (left.length > 0) throw new Error(`schema ${name} has tables that are not set aside: ${left.join(', ')}`)
      await run([dropDatabase(name)])
      await states.forget(name)
      names.release(name, 'schema')
    },

    async checkFree({ name }) {
      await edits.unfinished.settle(name)
      if (registry.find(name)) {
        const message = `there is a schema ${name} again; the kept one comes back once that one is deleted`
        throw fault('conflict', message)
      }
      await claimName({ clickhouse, names }, name)
    },

    async bringBack({ id, name, body: kept }) {
      const { body, log: before = log, states: known } = readDeletedSchema(kept)
      const schema = compiler.decode(body)
      names.claim(name, 'schema')
      const stored = (await storedTables(clickhouse, asideDatabase(id))).filter(
        (table) => !table.startsWith('graph___'),
      )
      await run([createDatabase(name)])
      await moveTables(
        clickhouse,
        stored.map((table) => ({ from: { database: asideDatabase(id), table }, to: { database: name, table } })),
      )
      // A schema without relations may have a graph all the same: a client has written to it.
      await graphs.bringBack(schemaGraph(name), id, schema.redelivered)
      if (known) await states.restore(name, known)
      const off = states.offStreams(name)
      const feeds = before === log ? createFeeds(schema, off) : changeLog(schema, off)
      await run([...createTables(schema), ...feeds, ...views.of(schema)])
      await delivery.attach(schema)
      await catalogue.putSchema({ name, body, state: 'ready' })
      registry.add(compiler.compile(schema, body, await edits.columns(name)))
      await run([dropAsideDatabase(id)])
    },

    remove: ({ id }) => run([dropAsideDatabase(id), ...forgetGraph(asideGraph(id))]),
  }
}
