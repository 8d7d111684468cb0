import { fault } from '../../../base/faults.ts'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { type Delivery, drain_ms } from '../../../infra/log/delivery.ts'
import type { Feeder } from '../../../infra/log/port.ts'
import { queueNames } from '../../../sql/schema/names.ts'
import type { Schema } from '../../../sql/schema/schema.ts'
import type { RegisteredSchema, Registry } from '../../registry/registry.ts'
import type { SchemaCompiler } from '../compile-schema.ts'
import { dropRebuilds } from '../rebuild/drop-rebuilds.ts'
import { type Edit, type Move, shownBy } from './states.ts'

export type QuiescingDeps = {
  readonly clickhouse: ClickHouse
  readonly registry: Pick<Registry, 'schema' | 'find'>
  readonly compiler: Pick<SchemaCompiler, 'decode'>
  readonly feeder: Pick<Feeder, 'caughtUp' | 'hold'>
  readonly delivery: Pick<Delivery, 'attach' | 'detach' | 'follow'>
  readonly move: Move
  /** Resolves once the other processes have followed the catalogue. */
  readonly agreed: () => Promise<void>
  /** Throws where this process may have lost its lease: its next holder undoes or ends the edit that this one has begun. */
  readonly check: () => void
}

/** Runs `work` on a schema while no event of it is on its way, in any process, and nothing else changes it. */
export type Quiesce = <Result>(schema: string, work: (schema: Schema) => Promise<Result>) => Promise<Result>

/** The same for a schema that is known. */
export type Quiesced = <Result>(work: (schema: Schema) => Promise<Result>) => Promise<Result>

export const halfEdited = (name: string) =>
  fault('unavailable', `schema ${name} is half-edited, since ClickHouse failed; try again`)

/** Keeps the events of schemas away, for a change by this process or by another one. */
export function createQuiescing(deps: QuiescingDeps) {
  const { clickhouse, registry, compiler, feeder, delivery, move, agreed, check } = deps
  /** Schemas that another process changes, with the function that ends the wait for each. */
  const waiting = new Map<string, () => void>()

  /** Events that come wait until `work` is done; all that were acknowledged are in ClickHouse when it begins. */
  const drained = <Result>({ gate, schema }: RegisteredSchema, work: () => Promise<Result>): Promise<Result> =>
    gate.shut(async () => {
      await feeder.caughtUp(queueNames(schema), drain_ms)
      // A batch can be read before the log has forgotten it: a crash would have it fed once more.
      await feeder.hold(queueNames(schema), async () => {})
      return work()
    })

  /** Consumers take the events of the schema, as the state of the edit says. */
  async function attach(edit: Edit): Promise<void> {
    check()
    await delivery.attach(shownBy(edit, compiler.decode).rows)
    edit.isAttached = true
  }

  return {
    attach,

    /**
     * Brings an edit to `editing` and runs `work`, which brings it further. Where something fails the edit is left in the
     * state that it has come to; its events are refused until they may flow again, if feeds may be missing.
     */
    here<Result>(edit: Edit, work: (schema: Schema) => Promise<Result>): Promise<Result> {
      const { name, record } = edit
      const present = registry.schema(name)
      return drained(present, async () => {
        await move(edit, 'editing')
        await agreed()
        if (!record.feedsStay) {
          present.gate.refuseWith(halfEdited(name))
          await dropRebuilds(clickhouse, name)
        }
        check()
        edit.isAttached = false
        await delivery.detach(present.schema)
        const result = await work(present.schema)
        await attach(edit)
        present.gate.refuseWith(undefined)
        return result
      })
    },

    /** Brings an edit to `editing` and runs `work`, which takes the schema away: its consumers stay detached. */
    away(edit: Edit, work: () => Promise<void>): Promise<void> {
      const present = registry.schema(edit.name)
      return drained(present, async () => {
        await move(edit, 'editing')
        await agreed()
        check()
        edit.isAttached = false
        await delivery.detach(present.schema)
        await work()
      })
    },

    /** The same as `here` for another process: resolves when no event of the schema is on its way here; none comes until its release. */
    async follow(name: string): Promise<void> {
      const present = registry.find(name)
      if (present === undefined || waiting.has(name)) return
      delivery.follow(present.schema, true)
      const released = new Promise<void>((resolve) => waiting.set(name, resolve))
      await new Promise<void>((resolve, reject) => {
        drained(present, () => {
          resolve()
          return released
        }).catch(reject)
      }).catch((error: unknown) => {
        waiting.delete(name)
        throw error
      })
    },
    release(name: string): void {
      waiting.get(name)?.()
      waiting.delete(name)
    },
  }
}

export type Quiescing = ReturnType<typeof createQuiescing>
