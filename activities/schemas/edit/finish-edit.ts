import type { Catalogue } from '../../../infra/catalogue/catalogue.ts'
import { type ClickHouse, runAll } from '../../../infra/clickhouse/clickhouse.ts'
import type { Feeder } from '../../../infra/log/port.ts'
import { dropAsideDatabase } from '../../../sql/aside.ts'
import { replacedTables } from '../../../sql/schema/ddl/edit/edit.ts'
import { type EditEnd, planEditEnd } from '../../../sql/schema/ddl/edit/finish-edit.ts'
import { forgetCopiedTriples } from '../../../sql/schema/ddl/edit/past-triples.ts'
import { type Change, freshFilters } from '../../../sql/schema/ddl/edit/schema-diff.ts'
import { queueName } from '../../../sql/schema/names.ts'
import { bringsSessions } from '../../../sql/schema/sessions.ts'
import type { Rules } from '../../rules/rules.ts'
import type { Deletions } from '../../undo/deletions.ts'
import type { SchemaCompiler } from '../compile-schema.ts'
import type { StreamStates } from '../stream-states.ts'
import { changeOf, type EditRecord } from './edit-record.ts'
import { copyPasts } from './past-copies.ts'
import { assertPlaces } from './places.ts'
import type { Edit, Move } from './states.ts'
import { setStreamAside } from './stream-aside.ts'

export type EditFinishDeps = {
  readonly clickhouse: ClickHouse
  readonly catalogue: Pick<Catalogue, 'completeSince' | 'putCompleteSince' | 'putSessionsSince'>
  readonly compiler: Pick<SchemaCompiler, 'decode'>
  readonly states: Pick<StreamStates, 'offStreams' | 'forget'>
  readonly feeder: Pick<Feeder, 'forget'>
  readonly rules: Pick<Rules, 'forgetUnused'>
  readonly deletions: Pick<Deletions, 'write'>
  readonly move: Move
}

/** The work left once an edit stands: it may be cut off anywhere, and done again. */
export function createEditFinish(deps: EditFinishDeps) {
  const { clickhouse, catalogue, compiler, states, feeder, rules, deletions, move } = deps
  const run = (statements: readonly string[]): Promise<void> => runAll(clickhouse, statements)

  async function note(edit: Edit, progress: Partial<EditRecord>): Promise<void> {
    edit.record = { ...edit.record, ...progress }
    await move(edit, 'filling')
  }

  async function fill(edit: Edit, change: Change, graph: EditEnd['graph']): Promise<void> {
    const { name, record } = edit
    const off = states.offStreams(name)
    // Once copies have begun, the triples that they brought must not be taken for those of an earlier try.
    if (!record.copies) await fillAll(clickhouse, edit, [...graph, ...forgetCopiedTriples(change, off)])
    await copyPasts(
      { clickhouse, note: (copies) => note(edit, { copies }) },
      change.to,
      freshFilters(change).filter(({ filter }) => !off.has(filter.target)),
      `${name}:${record.id}`,
      record.copies ?? { done: 0 },
    )
    await note(edit, { isFilled: true })
  }

  async function finish(edit: Edit): Promise<void> {
    const { name } = edit
    const { keeps, restores } = edit.record
    const change = changeOf(edit.record, compiler.decode)
    const { graph, clean } = planEditEnd(change)
    if (keeps) {
      await setStreamAside(clickhouse, change.from, keeps)
      await deletions.write(keeps)
    }
    if (!edit.record.isFilled) await fill(edit, change, graph)
    for (const { name: stream } of change.from.streams) {
      if (change.to.streams.some((each) => each.name === stream)) continue
      // First the step that a process without the lease is refused.
      await states.forget(name, stream)
      await feeder.forget(queueName(name, stream))
    }
    await rules.forgetUnused(change.to)
    await assertPlaces(clickhouse, { schema: name, id: edit.record.id, replaced: replacedTables(change) }, true)
    await run(clean)
    await noteGaps(change)
    if (restores) {
      await run([dropAsideDatabase(restores.id)])
      await deletions.write({ ...restores, state: 'gone', body: '' })
    }
    await move(edit, 'ready')
  }

  /** Notes that events which had expired by now are absent, though the stream's new window would still hold them. */
  async function noteGaps(change: Change): Promise<void> {
    for (const [queue, window] of prolonged(change)) {
      const since_us = (Date.now() - window * 1000) * 1000
      await catalogue.putCompleteSince(queue, Math.max(since_us, (await catalogue.completeSince(queue)) ?? 0))
    }
  }

  /** Notes that events of before are in none of the sessions that the edit brings, while none is on its way. */
  async function noteSessions({ from, to }: Change): Promise<void> {
    for (const stream of to.streams) {
      const before = from.streams.find(({ name }) => name === stream.name)
      if (before && bringsSessions(before, stream)) await catalogue.putSessionsSince(queueName(to.name, stream.name))
    }
  }

  return {
    /** Brings an edit from `filling` to `ready`. */
    finish,
    /** To be called before the longer window shows; where the edit is undone it has changed nothing. */
    noteGaps,
    noteSessions,
  }
}

/** Streams whose events are to stay longer than until now, and how long they stayed, in seconds. */
const prolonged = ({ from, to }: Change): [queue: string, window: number][] =>
  from.streams.flatMap(({ name, window }) => {
    const after = to.streams.find((stream) => stream.name === name)
    const isLonger = after !== undefined && window !== 0 && (after.window === 0 || after.window > window)
    return isLonger ? [[queueName(to.name, name), window]] : []
  })

/** Runs statements that fill what an edit adds, and counts them. */
export async function fillAll(
  clickhouse: Pick<ClickHouse, 'run'>,
  edit: Edit,
  statements: readonly string[],
): Promise<void> {
  edit.filled = 0
  for (const statement of statements) {
    await clickhouse.run(statement)
    edit.filled++
  }
}

export type EditFinish = ReturnType<typeof createEditFinish>
