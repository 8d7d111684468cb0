import type { Catalogue, SchemaRecord, SchemaState } from '../../infra/catalogue/catalogue.ts'
import type { Delivery } from '../../infra/log/delivery.ts'
import type { Feeder } from '../../infra/log/port.ts'
import { queueName, queueNames } from '../../sql/schema/names.ts'
import type { Registry } from '../registry/registry.ts'
import type { Rules } from '../rules/rules.ts'
import type { SchemaCompiler } from './compile-schema.ts'
import type { SchemaEdits } from './edit/edits.ts'
import { createEditProgress, type EditProgress } from './edit/progress.ts'
import type { Quiescing } from './edit/quiesce.ts'
import { editOf, type Shown, shownBy } from './edit/states.ts'
import type { StorageNames } from './storage-names.ts'
import type { StreamStates } from './stream-states.ts'

export type SchemaFollowingDeps = {
  readonly catalogue: Catalogue
  readonly registry: Registry
  readonly compiler: SchemaCompiler
  readonly states: StreamStates
  readonly edits: Pick<SchemaEdits, 'columns' | 'abandon'>
  readonly quiescing: Pick<Quiescing, 'follow' | 'release'>
  readonly feeder: Feeder
  readonly delivery: Pick<Delivery, 'follow'>
  readonly names: StorageNames
  readonly rules: Pick<Rules, 'leave'>
}

/** Applies in memory the changes of schemas that other processes have made; runs no DDL. */
export function createSchemaFollowing(deps: SchemaFollowingDeps) {
  const { catalogue, registry, compiler, states, edits, quiescing, feeder, delivery, names, rules } = deps
  const progressOf = createEditProgress(deps)
  const unready = new Map<string, SchemaRecord>()

  async function show(name: string, { schema, body, rows }: Shown): Promise<void> {
    const present = registry.find(name)
    // Each copy that an edit makes of the past is a version of its record.
    if (unready.get(name)?.state === 'filling' && present?.body === body) return
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
    delivery.follow(rows, false)
    quiescing.release(name)
  }

  const showEdited = (record: SchemaRecord): Promise<void> =>
    show(record.name, shownBy(editOf(record), compiler.decode))

  async function withdraw({ name }: SchemaRecord): Promise<void> {
    const present = registry.find(name)
    edits.abandon(name)
    registry.remove(name)
    quiescing.release(name)
    await rules.leave(name)
    for (const queue of present ? queueNames(present.schema) : []) await feeder.forget(queue)
    states.forgetHere(name)
  }

  const follow: Readonly<Record<SchemaState, (record: SchemaRecord) => Promise<void>>> = {
    making: async ({ name }) => names.claim(name, 'schema'),
    ready({ name, body }) {
      const schema = compiler.decode(body)
      return show(name, { schema, body, rows: schema })
    },
    editing: ({ name }) => quiescing.follow(name),
    building: showEdited,
    filling: showEdited,
    dropping: withdraw,
    gone: async (record) => {
      await withdraw(record)
      names.release(record.name, 'schema')
    },
  }

  return {
    /** Applies the changes after a version. */
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
    /** How far the edit of a schema is that another process makes. */
    progress(name: string): EditProgress | undefined {
      const record = unready.get(name)
      return record?.state === 'building' || record?.state === 'filling' ? progressOf(editOf(record)) : undefined
    },
    ended(name: string): void {
      unready.delete(name)
      quiescing.release(name)
    },
  }
}

export type SchemaFollowing = ReturnType<typeof createSchemaFollowing>
