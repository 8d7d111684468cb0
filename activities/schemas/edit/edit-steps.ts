import { fault } from '../../../base/faults.ts'
import type { Catalogue, SchemaState } from '../../../infra/catalogue/catalogue.ts'
import { type ClickHouse, runAll } from '../../../infra/clickhouse/clickhouse.ts'
import { type Delivery, drain_ms } from '../../../infra/log/delivery.ts'
import type { Feeder } from '../../../infra/log/embedded/feeder.ts'
import type { Unfinished } from '../../../infra/unfinished.ts'
import { planEdit } from '../../../sql/schema/ddl/edit/edit.ts'
import { queueNames } from '../../../sql/schema/names.ts'
import type { Schema } from '../../../sql/schema/schema.ts'
import type { SchemaCompiler } from '../compile-schema.ts'
import type { SchemaTables } from '../event-columns.ts'
import { dropRebuilds } from '../rebuild/drop-rebuilds.ts'
import type { RegisteredSchema, Registry } from '../registry.ts'
import type { StreamStates } from '../stream-states.ts'
import { changeOf, type EditRecord } from './edit-record.ts'

export type EditStepsDeps = {
  readonly clickhouse: ClickHouse
  readonly catalogue: Catalogue
  readonly registry: Registry
  readonly compiler: SchemaCompiler
  readonly states: StreamStates
  readonly tables: SchemaTables
  readonly feeder: Feeder
  readonly delivery: Delivery
  readonly unfinished: Unfinished
  /** Resolves once the other processes have followed what was written to the catalogue. */
  readonly agreed: () => Promise<void>
  /** Throws where this process may have lost its lease: its next holder undoes or ends what this one has begun. */
  readonly check: () => void
}

/** The steps of which edits are made: each leaves a schema as the catalogue tells it, or is undone. */
export function createEditSteps(deps: EditStepsDeps) {
  const { clickhouse, catalogue, registry, compiler, states, tables, feeder, delivery, unfinished, agreed, check } =
    deps

  const run = (statements: readonly string[]): Promise<void> => runAll(clickhouse, statements)

  const put = (name: string, record: EditRecord, state: SchemaState): Promise<void> =>
    catalogue.putSchema({ name, body: JSON.stringify(record), state })

  /**
   * Runs `work`, which answers the schema whose events come next, while none is on its way, in this process or another.
   * `began` is called once there is something to undo.
   */
  const quiesced = (
    present: RegisteredSchema,
    record: EditRecord,
    work: () => Promise<Schema>,
    began: () => void = () => {},
  ): Promise<void> =>
    present.gate.shut(async () => {
      const { name } = present.schema
      await feeder.caughtUp(queueNames(present.schema), drain_ms)
      began()
      await put(name, record, 'editing')
      await agreed()
      present.gate.refuseWith(fault('unavailable', `schema ${name} is half-edited, since ClickHouse failed; try again`))
      await dropRebuilds(clickhouse, name)
      check()
      await delivery.detach(present.schema)
      const next = await work()
      check()
      await delivery.attach(next)
      present.gate.refuseWith(undefined)
    })

  async function show(present: RegisteredSchema, schema: Schema, body: string, both?: Schema): Promise<void> {
    registry.add(compiler.compile(schema, body, await tables.columns(schema.name), present.gate, both))
  }

  /** Brings back what was, whatever was done of an edit that does not stand yet. */
  async function undo(present: RegisteredSchema, record: EditRecord): Promise<void> {
    check()
    const change = changeOf(record, compiler.decode)
    const { name } = change.from
    const plan = planEdit(change, states.offStreams(name))
    await quiesced(present, record, async () => {
      await run(plan.dropFeeds)
      await run(plan.restore(await tables.names(name)))
      await catalogue.putSchema({ name, body: record.from, state: 'ready' })
      await show(present, change.from, record.from)
      return change.from
    })
  }

  /**
   * Changes feeds of a schema that stays as it is, while no event of it is on its way. After a failure, or a crash, all
   * its feeds are made anew as the states of its streams say.
   */
  async function refeed(present: RegisteredSchema, statements: readonly string[], keep: () => Promise<void>) {
    const { schema, body } = present
    const record = { from: body, to: body, id: '' }
    let isBegun = false
    const change = async () => {
      await keep()
      await run(statements)
      await catalogue.putSchema({ name: schema.name, body, state: 'ready' })
      return schema
    }
    const again = async () => {
      check()
      await states.readStates()
      await undo(registry.schema(schema.name), record)
    }
    await quiesced(present, record, change, () => {
      isBegun = true
    }).catch(async (error: unknown) => {
      if (isBegun) await again().catch((failure: unknown) => unfinished.later(schema.name, again, failure))
      throw error
    })
  }

  return { run, put, quiesced, show, undo, refeed }
}
