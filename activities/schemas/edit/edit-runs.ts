import { randomBytes } from 'node:crypto'
import type { Catalogue, SchemaRecord, SchemaState } from '../../../infra/catalogue/catalogue.ts'
import { type ClickHouse, runAll } from '../../../infra/clickhouse/clickhouse.ts'
import { Fault, fault } from '../../../infra/faults.ts'
import { type Delivery, drain_ms } from '../../../infra/log/delivery.ts'
import type { Feeder } from '../../../infra/log/embedded/feeder.ts'
import type { Logger } from '../../../infra/logger.ts'
import { reasonOf, type Unfinished } from '../../../infra/unfinished.ts'
import { planEdit } from '../../../sql/schema/ddl/edit/edit.ts'
import { queueNames } from '../../../sql/schema/names.ts'
import type { Schema } from '../../../sql/schema/schema.ts'
import type { SchemaCompiler } from '../compile-schema.ts'
import type { SchemaTables } from '../event-columns.ts'
import { dropRebuilds } from '../rebuild/drop-rebuilds.ts'
import type { RegisteredSchema, Registry } from '../registry.ts'
import type { StreamStates } from '../stream-states.ts'
import { changeOf, type EditRecord, readEditRecord } from './edit-record.ts'
import { createEditFinish } from './finish-edit.ts'

export type EditRunsDeps = {
  readonly clickhouse: ClickHouse
  readonly catalogue: Catalogue
  readonly registry: Registry
  readonly compiler: SchemaCompiler
  readonly states: StreamStates
  readonly tables: SchemaTables
  readonly feeder: Feeder
  readonly delivery: Delivery
  readonly logger: Logger
  readonly unfinished: Unfinished
  /** Resolves once the other processes have followed what was written to the catalogue. */
  readonly agreed: () => Promise<void>
  /** Throws where this process may have lost its lease: its next holder undoes or ends what this one has begun. */
  readonly check: () => void
}

/**
 * Runs an edit, as the catalogue's states tell it:
 *
 * `editing`: no event of the schema is on its way, and its feeds change. A crash here ends with the schema as it was.
 * `building`: events come in again and feed what is old and what is new, which is being filled. The same holds.
 * `filling`: the edit stands; streams of filters and the graph get the past, and what the edit has replaced is dropped.
 */
export function createEditRuns(deps: EditRunsDeps) {
  const { clickhouse, catalogue, registry, compiler, states, tables, feeder, delivery, logger, unfinished } = deps
  const { agreed, check } = deps

  const finishing = createEditFinish(deps)

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

  /** Until the edit stands a failure brings back what was; afterwards what is left is tried again until it is done. */
  async function start(present: RegisteredSchema, record: EditRecord): Promise<string | undefined> {
    const { name } = present.schema
    const change = changeOf(record, compiler.decode)
    const plan = planEdit(change, states.offStreams(name))
    let isBegun = false
    const began = () => {
      isBegun = true
    }
    try {
      if (plan.fill.length > 0) {
        const build = async () => {
          await run([...plan.dropFeeds, ...plan.prepare, ...plan.feedBoth])
          await put(name, record, 'building')
          await show(present, change.from, record.from, plan.both)
          return plan.both
        }
        await quiesced(present, record, build, began)
        await run(plan.fill)
      }
      const takePlace = async () => {
        await run([...plan.dropFeeds, ...(plan.fill.length > 0 ? [] : plan.prepare), ...plan.replace])
        await put(name, record, 'filling')
        await show(present, change.to, record.to)
        return change.to
      }
      await quiesced(present, record, takePlace, began)
    } catch (error) {
      if (isBegun) {
        await undo(present, record).catch((failure: unknown) =>
          unfinished.later(name, () => undo(registry.schema(name), record), failure),
        )
      }
      if (error instanceof Fault) throw error
      throw fault('unavailable', `schema ${name} stays as it was, ClickHouse refused the edit: ${reasonOf(error)}`, {
        cause: error,
      })
    }
    try {
      await finishing.finish(name, record)
      return undefined
    } catch (error) {
      logger.error({ err: error, schema: name }, 'backfill after schema edit failed, retrying')
      unfinished.later(name, () => finishing.resume(name), error)
      return `schema ${name} is edited; what it adds is still being filled from the past: ${reasonOf(error)}`
    }
  }

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

  /** After a crash. The tables of feeds that are missing had been drained before the feeds were dropped. */
  const attachAgain = (rows: Schema): Promise<void> =>
    delivery.attach(rows).catch((error: unknown) => {
      logger.warn({ err: error, schema: rows.name }, 'consumers not attached before the edit is ended, retrying')
    })

  return {
    refeed,

    /** Answers a message where the edit stands and something is left to do. */
    start: (present: RegisteredSchema, to: string): Promise<string | undefined> =>
      start(present, { from: present.body, to, id: randomBytes(6).toString('hex') }),

    /** Takes up an edit that a crash cut off. */
    async resume(kept: SchemaRecord): Promise<void> {
      const { name, state } = kept
      const record = readEditRecord(kept)
      const change = changeOf(record, compiler.decode)
      logger.warn({ schema: name, state }, 'schema was left half-edited, undoing or ending the edit')
      if (state === 'filling') {
        registry.add(compiler.compile(change.to, record.to, await tables.columns(name)))
        await attachAgain(change.to)
        unfinished.later(name, () => finishing.resume(name), 'the process ended amid an edit')
        return
      }
      const columns = await tables.columns(name)
      const isBuilding = state === 'building'
      const both = isBuilding ? planEdit(change, states.offStreams(name)).both : undefined
      const present = compiler.compile(change.from, record.from, columns, undefined, both)
      registry.add(present)
      await attachAgain(both ?? change.from)
      if (isBuilding) {
        // Its feeds are all there, and a batch that was under way has to meet them again before they change.
        unfinished.later(name, () => undo(registry.schema(name), record), 'the process ended amid an edit')
        return
      }
      present.gate.refuseWith(fault('unavailable', `schema ${name} is half-edited, since ClickHouse failed; try again`))
      await undo(present, record).catch((error: unknown) => {
        logger.error({ err: error, schema: name }, 'undo of schema edit failed, retrying')
        unfinished.later(name, () => undo(registry.schema(name), record), error)
      })
    },
  }
}

export type EditRuns = ReturnType<typeof createEditRuns>
