import type { Catalogue, SchemaRecord, SchemaState } from '../../infra/catalogue/catalogue.ts'
import { type Delivery, drain_ms } from '../../infra/log/delivery.ts'
import type { Feeder } from '../../infra/log/embedded/feeder.ts'
import { bothSchemas } from '../../sql/schema/ddl/edit/union-schema.ts'
import { queueName, queueNames } from '../../sql/schema/names.ts'
import type { Schema } from '../../sql/schema/schema.ts'
import type { SchemaCompiler } from './compile-schema.ts'
import { changeOf, editedBody, readEditRecord } from './edit/edit-record.ts'
import type { SchemaEdits } from './edit/edits.ts'
import type { Registry } from './registry.ts'
import type { StorageNames } from './storage-names.ts'
import type { StreamStates } from './stream-states.ts'

export type SchemaFollowingDeps = {
  readonly catalogue: Catalogue
  readonly registry: Registry
  readonly compiler: SchemaCompiler
  readonly states: StreamStates
  readonly edits: Pick<SchemaEdits, 'columns' | 'abandon'>
  readonly feeder: Feeder
  readonly delivery: Pick<Delivery, 'follow'>
  readonly names: StorageNames
}

/** Does in memory what other processes have done to schemas; runs no DDL. */
export function createSchemaFollowing(deps: SchemaFollowingDeps) {
  const { catalogue, registry, compiler, states, edits, feeder, delivery, names } = deps
  /** Schemas that are quiesced here for another process's edit, and what ends that. */
  const quiesced = new Map<string, () => void>()
  const unready = new Map<string, SchemaRecord>()

  const release = (name: string): void => {
    quiesced.get(name)?.()
    quiesced.delete(name)
  }

  /** `rows`: how events are written, where an edit under way asks for more than the schema. */
  async function show({ name, body }: SchemaRecord, rows?: Schema): Promise<void> {
    const present = registry.find(name)
    // Each copy that an edit makes of the past is a version of its record.
    if (unready.get(name)?.state === 'filling' && present?.body === body) return
    const schema = compiler.decode(body)
    names.claim(name, 'schema')
    const columns = await edits.columns(name)
    for (const stream of present?.streams.keys() ?? []) {
      if (schema.streams.some((each) => each.name === stream)) continue
      await feeder.forget(queueName(name, stream))
      states.forgetHere(name, stream)
    }
    edits.abandon(name)
    present?.gate.refuseWith(undefined)
    registry.add(compiler.compile(schema, body, columns, present?.gate, rows))
    delivery.follow(rows ?? schema, false)
    release(name)
  }

  /** Resolves when no event of the schema is on its way; none comes until it is released. */
  async function quiesce({ name }: SchemaRecord): Promise<void> {
    const present = registry.find(name)
    if (present === undefined || quiesced.has(name)) return
    delivery.follow(present.schema, true)
    const released = new Promise<void>((resolve) => quiesced.set(name, resolve))
    await new Promise<void>((resolve, reject) => {
      present.gate
        .shut(async () => {
          await feeder.caughtUp(queueNames(present.schema), drain_ms)
          resolve()
          await released
        })
        .catch(reject)
    }).catch((error: unknown) => {
      quiesced.delete(name)
      throw error
    })
  }

  async function withdraw({ name }: SchemaRecord): Promise<void> {
    const present = registry.find(name)
    edits.abandon(name)
    registry.remove(name)
    release(name)
    for (const queue of present ? queueNames(present.schema) : []) await feeder.forget(queue)
    states.forgetHere(name)
  }

  const follow: Readonly<Record<SchemaState, (record: SchemaRecord) => Promise<void>>> = {
    making: async ({ name }) => names.claim(name, 'schema'),
    ready: (record) => show(record),
    editing: quiesce,
    building: (record) => {
      const edit = readEditRecord(record)
      const { from, to } = changeOf(edit, compiler.decode)
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
      const switched = await catalogue.streamStatesSince(since)
      const records = await catalogue.schemasSince(since)
      for (const { schema, stream, state } of switched) {
        states.follow(schema, stream, Number(state) !== 0, registry.find(schema)?.streams.get(stream))
      }
      for (const record of records) {
        await follow[record.state](record)
        if (record.state === 'ready' || record.state === 'gone') unready.delete(record.name)
        else unready.set(record.name, record)
      }
    },

    /** Schemas that another process changes, or left half-done: the next holder of the lease ends that. */
    unready: (): readonly SchemaRecord[] => [...unready.values()],
    ended(name: string): void {
      unready.delete(name)
      release(name)
    },
  }
}

export type SchemaFollowing = ReturnType<typeof createSchemaFollowing>
