import type { Catalogue } from '../../../infra/catalogue/catalogue.ts'
import { type ClickHouse, runAll } from '../../../infra/clickhouse/clickhouse.ts'
import type { Feeder } from '../../../infra/log/port.ts'
import type { Logger } from '../../../infra/logger.ts'
import { planEdit } from '../../../sql/schema/ddl/edit/edit.ts'
import { queueNames } from '../../../sql/schema/names.ts'
import type { Registry } from '../../registry/registry.ts'
import type { Rules } from '../../rules/rules.ts'
import type { Deletions } from '../../undo/deletions.ts'
import type { SchemaCompiler } from '../compile-schema.ts'
import type { SchemaTables } from '../event-columns.ts'
import type { StreamStates } from '../stream-states.ts'
import { changeOf } from './edit-record.ts'
import { createEditFinish, fillAll } from './finish-edit.ts'
import { assertPlaces, markedTables } from './places.ts'
import type { Quiescing } from './quiesce.ts'
import { type Edit, type Move, shownBy } from './states.ts'
import { fitStream, moveStreamIn, readDeletedStream, setStreamAside, streamIn } from './stream-aside.ts'

export type EditStepsDeps = {
  readonly clickhouse: ClickHouse
  readonly catalogue: Catalogue
  readonly registry: Registry
  readonly compiler: SchemaCompiler
  readonly states: StreamStates
  readonly tables: SchemaTables
  readonly feeder: Feeder
  readonly rules: Pick<Rules, 'forgetUnused'>
  readonly deletions: Pick<Deletions, 'write'>
  readonly quiescing: Quiescing
  readonly move: Move
  readonly logger: Logger
}

/** The steps of an edit between the states of `states.ts`: each changes tables and feeds, then moves the state. */
export function createEditSteps(deps: EditStepsDeps) {
  const { clickhouse, registry, compiler, states, tables, quiescing, move, feeder } = deps
  const finishing = createEditFinish(deps)

  const run = (statements: readonly string[]): Promise<void> => runAll(clickhouse, statements)

  /** Requests see the schema that the state says. */
  async function show(edit: Edit): Promise<void> {
    const { schema, body, rows } = shownBy(edit, compiler.decode)
    const { gate } = registry.schema(edit.name)
    registry.add(compiler.compile(schema, body, await tables.columns(edit.name), gate, rows))
  }

  /** Brings an edit from `ready` to `filling`. */
  async function build(edit: Edit): Promise<void> {
    const change = changeOf(edit.record, compiler.decode)
    const { restores } = edit.record
    const back = restores && readDeletedStream(restores)
    const off = new Set([...states.offStreams(edit.name), ...(back?.states.off ?? [])])
    const plan = planEdit(change, off, edit.record.id)
    if (plan.fill.length > 0) {
      await quiescing.here(edit, async () => {
        await run([...plan.dropFeeds, ...plan.prepare, ...plan.feedBoth])
        await move(edit, 'building')
        await show(edit)
      })
      await fillAll(clickhouse, edit, plan.fill)
    }
    await quiescing.here(edit, async () => {
      await run(plan.dropFeeds)
      if (restores && back) {
        await moveStreamIn(clickhouse, change.to, restores)
        await states.restore(edit.name, back.states)
      }
      if (plan.fill.length === 0) await run(plan.prepare)
      if (restores) await run(fitStream(change.to, restores))
      await run(plan.replace)
      await finishing.noteGaps(change)
      await finishing.noteSessions(change)
      await move(edit, 'filling')
      await show(edit)
    })
  }

  /** Back to `ready`, from whatever was done of an edit that does not stand. */
  async function undo(edit: Edit): Promise<void> {
    await states.readStates()
    const { name, record } = edit
    const change = changeOf(record, compiler.decode)
    const plan = planEdit(change, states.offStreams(name), record.id)
    await quiescing.here(edit, async (from) => {
      // While it was building their events had consumers.
      for (const queue of queueNames(change.to)) if (!queueNames(from).includes(queue)) await feeder.forget(queue)
      await run(plan.dropFeeds)
      // Asked after the statements before it: on a cluster they wait for those of a process that is gone.
      if (plan.replaced.length > 0) await run(plan.giveBack(await markedTables(clickhouse, record.id)))
      await assertPlaces(clickhouse, { schema: name, id: record.id, replaced: plan.replaced }, false)
      if (record.restores) {
        await setStreamAside(clickhouse, change.to, record.restores)
        await states.forget(name, streamIn(record.restores))
      }
      await run(plan.restore(await tables.names(name)))
      await move(edit, 'ready')
      await show(edit)
    })
  }

  /** Back to `ready`, where all tables and feeds are those of the schema. */
  async function release(edit: Edit): Promise<void> {
    if (edit.state !== 'ready') await move(edit, 'ready')
    if (!edit.isAttached) await quiescing.attach(edit)
  }

  /** Requests meet the schema of an edit that stands. */
  async function attach(edit: Edit): Promise<void> {
    if (edit.isAttached) return
    await show(edit)
    await quiescing.attach(edit)
    registry.schema(edit.name).gate.refuseWith(undefined)
  }

  return {
    build,
    undo,
    release,
    attach,
    /** Brings an edit from `filling` to `ready`. */
    fill: finishing.finish,
  }
}
