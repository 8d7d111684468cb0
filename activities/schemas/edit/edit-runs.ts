import { randomBytes } from 'node:crypto'
import { Fault, fault } from '../../../base/faults.ts'
import type { SchemaRecord } from '../../../infra/catalogue/catalogue.ts'
import type { Logger } from '../../../infra/logger.ts'
import { reasonOf } from '../../../infra/unfinished.ts'
import { planEdit } from '../../../sql/schema/ddl/edit/edit.ts'
import type { Schema } from '../../../sql/schema/schema.ts'
import type { RegisteredSchema } from '../registry.ts'
import { changeOf, type EditRecord, readEditRecord } from './edit-record.ts'
import { createEditSteps, type EditStepsDeps } from './edit-steps.ts'
import { createEditFinish } from './finish-edit.ts'

export type EditRunsDeps = EditStepsDeps & { readonly logger: Logger }

/**
 * Runs an edit, as the catalogue's states tell it:
 *
 * `editing`: no event of the schema is on its way, and its feeds change. A crash here ends with the schema as it was.
 * `building`: events come in again and feed what is old and what is new, which is being filled. The same holds.
 * `filling`: the edit stands; streams of filters and the graph get the past, and what the edit has replaced is dropped.
 */
export function createEditRuns(deps: EditRunsDeps) {
  const { registry, compiler, states, tables, delivery, logger, unfinished } = deps
  const { run, put, quiesced, show, undo, refeed } = createEditSteps(deps)
  const finishing = createEditFinish(deps)

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
        await finishing.noteGaps(change)
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
