import { randomBytes } from 'node:crypto'
import { Fault, fault } from '../../../base/faults.ts'
import type { SchemaRecord } from '../../../infra/catalogue/catalogue.ts'
import { runAll } from '../../../infra/clickhouse/clickhouse.ts'
import { reasonOf, type Unfinished } from '../../../infra/unfinished.ts'
import { isFromRenaming } from '../../../sql/schema/names.ts'
import type { Schema } from '../../../sql/schema/schema.ts'
import type { RegisteredSchema } from '../../registry/registry.ts'
import type { EditRecord } from './edit-record.ts'
import { createEditSteps, type EditStepsDeps } from './edit-steps.ts'
import { createEditProgress, type EditProgress } from './progress.ts'
import { halfEdited } from './quiesce.ts'
import { type Edit, editOf, schemaStates, shownBy } from './states.ts'

export type EditRunsDeps = EditStepsDeps & {
  readonly unfinished: Unfinished
  /** Throws where this process may have lost its lease: its next holder undoes or ends the edit that this one has begun. */
  readonly check: () => void
}

/** Brings edits through the states of `states.ts`, there and back. */
export function createEditRuns(deps: EditRunsDeps) {
  const { clickhouse, catalogue, registry, compiler, tables, unfinished, check, logger, quiescing, move } = deps
  const steps = createEditSteps(deps)
  const progressOf = createEditProgress(deps)

  /** Edits of this process that do not stand yet, or are being filled. */
  const running = new Map<string, Edit>()

  const run = (statements: readonly string[]): Promise<void> => runAll(clickhouse, statements)

  async function undo(edit: Edit): Promise<void> {
    await steps.undo(edit)
    running.delete(edit.name)
  }

  async function finish(edit: Edit): Promise<void> {
    await steps.attach(edit)
    running.set(edit.name, edit)
    await steps.fill(edit)
    running.delete(edit.name)
  }

  /**
   * Takes over the state in the catalogue, since the answer to a write may have been lost; false where nothing is left to
   * do of the edit.
   */
  async function look(edit: Edit): Promise<boolean> {
    const record = (await catalogue.schemas()).find(({ name }) => name === edit.name)
    if (record === undefined || schemaStates[record.state].left === 'drop') return false
    edit.state = record.state
    if (record.state === 'ready') return record.body === edit.record.from
    edit.record = editOf(record).record
    return true
  }

  /** Brings a change that was left half-way to its end, or back, as the table of states says. */
  async function settle(edit: Edit): Promise<void> {
    check()
    if (!(await look(edit))) return
    if (schemaStates[edit.state].left === 'finish') await finish(edit)
    else if (edit.record.feedsStay) await steps.release(edit)
    else await undo(edit)
  }

  const settleLater = (edit: Edit, reason: unknown): void => unfinished.later(edit.name, () => settle(edit), reason)

  function hasFailed(edit: Edit, error: unknown): void {
    logger.error({ err: error, schema: edit.name }, 'schema left half-changed, retrying')
    settleLater(edit, error)
  }

  /** Runs a change that leaves the schema as it is; one that fails half-way is settled. */
  async function settled<Result>(edit: Edit, change: () => Promise<Result>): Promise<Result> {
    try {
      return await change()
    } catch (error) {
      const isWhole = edit.state === 'ready' && edit.isAttached
      if (!isWhole) await settle(edit).catch((failure: unknown) => hasFailed(edit, failure))
      throw error
    }
  }

  /** Whether an edit stands that has failed; one that does not is undone. */
  async function stands(edit: Edit): Promise<boolean> {
    if (edit.state === 'ready') return false
    try {
      check()
      await look(edit)
      if (schemaStates[edit.state].left === 'finish') return true
      await undo(edit)
    } catch (failure) {
      hasFailed(edit, failure)
    }
    return false
  }

  const begin = ({ schema, body }: RegisteredSchema, record: Omit<EditRecord, 'from'>): Edit => ({
    name: schema.name,
    record: { from: body, ...record },
    state: 'ready',
    isAttached: true,
    filled: 0,
  })

  return {
    /** How far an edit of this process is. */
    progress(name: string): EditProgress | undefined {
      const edit = running.get(name)
      return edit && progressOf(edit, edit.filled)
    },

    /** Of an edit that another process ends, or of a schema that goes. */
    forget: (name: string): void => {
      running.delete(name)
    },

    /**
     * Until the edit stands a failure brings back the old tables; afterwards the work left is tried again until it is done.
     * Answers a message where the edit stands and work is left.
     */
    async start(
      present: RegisteredSchema,
      to: string,
      undo: Pick<EditRecord, 'keeps' | 'restores'> = {},
    ): Promise<string | undefined> {
      const { name } = present.schema
      const record = { to, id: randomBytes(6).toString('hex'), begun_us: Date.now() * 1000, ...undo }
      const edit = begin(present, record)
      running.set(name, edit)
      try {
        await steps.build(edit)
      } catch (error) {
        if (!(await stands(edit))) {
          if (edit.state === 'ready') running.delete(name)
          if (error instanceof Fault) throw error
          const outcome =
            edit.state === 'filling'
              ? 'may be edited or stay as it was'
              : 'stays as it was, ClickHouse refused the edit'
          throw fault('unavailable', `schema ${name} ${outcome}: ${reasonOf(error)}`, { cause: error })
        }
      }
      try {
        await finish(edit)
        return undefined
      } catch (error) {
        logger.error({ err: error, schema: name }, 'backfill after schema edit failed, retrying')
        settleLater(edit, error)
        return `schema ${name} is edited; what it adds is still being filled from the past: ${reasonOf(error)}`
      }
    },

    /** Changes feeds of a schema that stays as it is. After a failure they are made anew as the states of its streams say. */
    refeed(present: RegisteredSchema, statements: readonly string[], settle: () => Promise<void>): Promise<void> {
      const edit = begin(present, { to: present.body, id: '' })
      return settled(edit, () =>
        quiescing.here(edit, async () => {
          await settle()
          await run(statements)
          await move(edit, 'ready')
        }),
      )
    },

    /** Runs `work`, which keeps the feeds, while no event of a schema is on its way. */
    hold<Result>(present: RegisteredSchema, work: (schema: Schema) => Promise<Result>): Promise<Result> {
      const edit = begin(present, { to: present.body, id: '', feedsStay: true })
      return settled(edit, () =>
        quiescing.here(edit, async (schema) => {
          const result = await work(schema)
          await move(edit, 'ready')
          return result
        }),
      )
    },

    /** Runs `work`, which takes the schema away, while no event of it is on its way; where it fails the schema stays. */
    leave(present: RegisteredSchema, work: () => Promise<void>): Promise<void> {
      const edit = begin(present, { to: present.body, id: '', feedsStay: true })
      return settled(edit, () => quiescing.away(edit, work))
    },

    /** Takes up an edit that a crash cut off, here or in another process. */
    async resume(record: SchemaRecord): Promise<void> {
      const { name, state } = record
      const edit = editOf(record)
      const renamed = [...(await tables.names(name))].filter(isFromRenaming)
      if (renamed.length > 0) {
        const found = `an edit of schema ${name} by an earlier version is half-done (${renamed.join(', ')})`
        throw new Error(`${found}: start that version once more, which ends the edit`)
      }
      logger.warn({ schema: name, state }, 'schema was left half-edited, undoing or ending the edit')
      const { schema, body, rows } = shownBy(edit, compiler.decode)
      const present = compiler.compile(schema, body, await tables.columns(name), undefined, rows)
      registry.add(present)
      let isTakenUp = false
      /** The tables of feeds that are missing had been drained before the feeds were dropped. */
      async function takeUp(): Promise<void> {
        if (!isTakenUp) await quiescing.attach(edit)
        isTakenUp = true
      }
      /** Nothing is undone or ended before consumers were there: it waits for the events that the log has. */
      async function end(): Promise<void> {
        await takeUp()
        await settle(edit)
      }
      const endLater = (reason: unknown): void => unfinished.later(name, end, reason)
      if (schemaStates[state].events === 'flow') {
        await takeUp().catch((error: unknown) => {
          logger.warn({ err: error, schema: name }, 'consumers not attached before the edit is ended, retrying')
        })
        // Its feeds are all there, and a batch that was under way has to meet them again before they change.
        endLater('the process ended amid an edit')
        return
      }
      if (!edit.record.feedsStay) present.gate.refuseWith(halfEdited(name))
      await end().catch((error: unknown) => {
        logger.error({ err: error, schema: name }, 'undo of schema edit failed, retrying')
        endLater(error)
      })
    },
  }
}

export type EditRuns = ReturnType<typeof createEditRuns>
