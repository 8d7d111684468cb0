import type { Catalogue, SchemaRecord, SchemaState } from '../../infra/catalogue.ts'
import type { Delivery } from '../../infra/delivery.ts'
import type { Feeder } from '../../infra/feeder.ts'
import { bothSchemas } from '../../sql/schema/ddl/both.ts'
import { queueName } from '../../sql/schema/names.ts'
import type { Schema } from '../../sql/schema/schema.ts'
import { changeOf, editedBody, readEditRecord } from './edit-record.ts'
import type { Registered } from './registered.ts'
import type { RegisteredSchema, Registry } from './registry.ts'
import type { SchemaEdits } from './schema-edits.ts'
import type { StorageNames } from './storage-names.ts'

export type SchemaFollowingDeps = {
  readonly catalogue: Catalogue
  readonly registry: Registry
  readonly registered: Registered
  readonly edits: Pick<SchemaEdits, 'columns' | 'abandon'>
  readonly feeder: Feeder
  readonly delivery: Pick<Delivery, 'follow'>
  readonly names: StorageNames
}

/** How long the events of a schema may take to reach ClickHouse before another process edits it. */
const drain_ms = 30_000

/** Does in memory what other processes have done to schemas; runs no DDL. */
export function createSchemaFollowing(deps: SchemaFollowingDeps) {
  const { catalogue, registry, registered, edits, feeder, delivery, names } = deps
  /** Schemas whose events are held back, and what lets them go on. */
  const held = new Map<string, () => void>()
  const unready = new Map<string, SchemaRecord>()

  const release = (name: string): void => {
    held.get(name)?.()
    held.delete(name)
  }

  /** `rows`: how events are written, where an edit under way asks for more than the schema. */
  async function show({ name, body }: SchemaRecord, rows?: Schema): Promise<void> {
    const present = registry.find(name)
    // Each copy that an edit makes of the past is a version of its record.
    if (unready.get(name)?.state === 'filling' && present?.body === body) return
    const schema = registered.decode(body)
    names.claim(name, 'schema')
    const columns = await edits.columns(name)
    for (const stream of present?.streams.keys() ?? []) {
      if (schema.streams.some((each) => each.name === stream)) continue
      await feeder.forget(queueName(name, stream))
      registered.forgetHere(name, stream)
    }
    edits.abandon(name)
    present?.gate.bar(undefined)
    registry.add(registered.schema(schema, body, columns, present?.gate, rows))
    delivery.follow(rows ?? schema, false)
    release(name)
  }

  /** Resolves when no event of the schema is on its way; none comes until it is released. */
  async function hold({ name }: SchemaRecord): Promise<void> {
    const present = registry.find(name)
    if (present === undefined || held.has(name)) return
    delivery.follow(present.schema, true)
    const released = new Promise<void>((resolve) => held.set(name, resolve))
    await new Promise<void>((resolve, reject) => {
      present.gate
        .closed(async () => {
          await feeder.caughtUp(queuesOf(present), drain_ms)
          resolve()
          await released
        })
        .catch(reject)
    }).catch((error: unknown) => {
      held.delete(name)
      throw error
    })
  }

  async function withdraw({ name }: SchemaRecord): Promise<void> {
    const present = registry.find(name)
    registry.remove(name)
    release(name)
    for (const queue of present ? queuesOf(present) : []) await feeder.forget(queue)
    registered.forgetHere(name)
  }

  const follow: Readonly<Record<SchemaState, (record: SchemaRecord) => Promise<void>>> = {
    making: async ({ name }) => names.claim(name, 'schema'),
    ready: (record) => show(record),
    editing: hold,
    building: (record) => {
      const edit = readEditRecord(record)
      const { from, to } = changeOf(edit, registered.decode)
      return show({ ...record, body: edit.from }, bothSchemas(from, to))
    },
    filling: (record) => show({ ...record, body: editedBody(record) }),
    dropping: withdraw,
    gone: async (record) => {
      await withdraw(record)
      names.release(record.name, 'schema')
    },
  }

  return {
    /** Applies what came after a version. */
    async apply(since: number): Promise<void> {
      const states = await catalogue.streamStatesSince(since)
      const records = await catalogue.schemasSince(since)
      for (const { schema, stream, state } of states) {
        registered.followState(schema, stream, Number(state) !== 0, registry.find(schema)?.streams.get(stream))
      }
      for (const record of records) {
        await follow[record.state](record)
        if (record.state === 'ready' || record.state === 'gone') unready.delete(record.name)
        else unready.set(record.name, record)
      }
    },

    /** Schemas that another process changes, or left half-done: whoever has the turn next ends that. */
    unready: (): readonly SchemaRecord[] => [...unready.values()],
    ended(name: string): void {
      unready.delete(name)
      release(name)
    },
  }
}

export type SchemaFollowing = ReturnType<typeof createSchemaFollowing>

const queuesOf = ({ schema }: RegisteredSchema): string[] =>
  schema.streams.map((stream) => queueName(schema.name, stream.name))
