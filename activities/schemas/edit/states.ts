import { strict as assert } from 'node:assert'
import type { Catalogue, SchemaRecord, SchemaState } from '../../../infra/catalogue/catalogue.ts'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { planEdit } from '../../../sql/schema/ddl/edit/edit.ts'
import { bothSchemas } from '../../../sql/schema/ddl/edit/union-schema.ts'
import type { Schema } from '../../../sql/schema/schema.ts'
import type { Registry } from '../../registry/registry.ts'
import type { SchemaCompiler } from '../compile-schema.ts'
import { createSchemaTables } from '../event-columns.ts'
import { changeOf, type EditRecord, readEditRecord } from './edit-record.ts'
import { assertPlaces } from './places.ts'

type StateRule = {
  readonly next: readonly SchemaState[]
  /** Events flow in every process, wait in every process, or are refused. */
  readonly events: 'flow' | 'wait' | 'refused'
  /** The way back to `ready`, or to `gone`, for a schema that a failure or a crash has left in this state. */
  readonly left: 'attach' | 'undo' | 'finish' | 'drop' | 'nothing'
}

/**
 * The states of a schema in the catalogue. An edit goes
 *
 *     ready > editing > building > editing > filling > ready
 *
 * and leaves `building` out where nothing is to be filled before it stands. A change of feeds alone (a stream turned ON or
 * OFF) goes ready > editing > ready, and so does work that keeps the feeds and needs the tables at rest (a rebuild that
 * begins or swaps, a repair by reconcile, the search for events that an edit would lose).
 *
 * ## making
 *
 * Some of the schema's tables are there. The next start, or the next holder of the lease, drops it after a crash: its
 * client was not answered.
 *
 * ## ready
 *
 * All tables and feeds of the body are there. A start attaches the consumers.
 *
 * ## editing
 *
 * No event of the schema is on its way in any process: all that was acknowledged is in ClickHouse, the consumers are
 * detached, and each process keeps new events waiting at the schema's gate. The tables are those of `from`, and maybe
 * some beside them; feeds may be missing. Entered from `building`, or where nothing is to be filled, tables of `to` may
 * have changed places with those of `from`: the ones in place bear the edit's id as their comment. After a crash it is
 * undone: the feeds go, the tables change places again where the comment says so, the feeds of `from` are made.
 *
 * With `restores` in the record tables of the stream that comes back may be in their places, and the way back sets them
 * aside again.
 *
 * With `feedsStay` in the record all tables and feeds of the body are there at each moment, so the way back is to attach
 * the consumers. A process that is alone writes no such record: `ready` says the same.
 *
 * ## building
 *
 * The tables and feeds of `from` are all there. Each table that gains measures has its next one beside it, fed by the
 * same events, and the events of before are kept as they were; the next tables are being filled from them. Queries see
 * `from`. After a crash it is undone.
 *
 * ## filling
 *
 * The edit stands, and is never undone: the tables and feeds of `to` are in place, and events that only they have taken
 * may have come. The tables in the places that it has changed bear its id, and those that it has replaced are beside
 * them; streams of filters and the graph are being given the events of before, and the record says how far that is. With
 * `keeps` the tables of the stream that went are set aside first. After a crash it is finished.
 *
 * ## dropping
 *
 * Some of the tables are there. After a crash the rest is dropped.
 *
 * ## gone
 *
 * Nothing is there, and the name is free.
 */
export const schemaStates: Readonly<Record<SchemaState, StateRule>> = {
  making: { next: ['ready', 'dropping'], events: 'refused', left: 'drop' },
  ready: { next: ['editing', 'dropping'], events: 'flow', left: 'attach' },
  editing: { next: ['editing', 'building', 'filling', 'ready', 'dropping'], events: 'wait', left: 'undo' },
  building: { next: ['editing', 'dropping'], events: 'flow', left: 'undo' },
  filling: { next: ['filling', 'ready', 'dropping'], events: 'flow', left: 'finish' },
  dropping: { next: ['dropping', 'gone'], events: 'refused', left: 'drop' },
  gone: { next: ['making'], events: 'refused', left: 'nothing' },
}

/** A change of a schema that is under way. */
export type Edit = {
  readonly name: string
  record: EditRecord
  /** As the catalogue has it, or may have it: where the answer to a write was lost, the state that was written. */
  state: SchemaState
  /** The consumers of the streams that the state says are attached. */
  isAttached: boolean
  /** Statements of the state that this process has run, of those that fill what the edit adds. */
  filled: number
}

export const editOf = (schema: SchemaRecord): Edit => ({
  name: schema.name,
  record: readEditRecord(schema),
  state: schema.state,
  isAttached: false,
  filled: 0,
})

/** The schema that requests see, with its body, and the one by which its events are written. */
export type Shown = { readonly schema: Schema; readonly body: string; readonly rows: Schema }

export function shownBy({ state, record }: Pick<Edit, 'state' | 'record'>, decode: (body: string) => Schema): Shown {
  const { from, to } = changeOf(record, decode)
  if (state === 'filling') return { schema: to, body: record.to, rows: to }
  return { schema: from, body: record.from, rows: state === 'building' ? bothSchemas(from, to) : from }
}

export type MoveDeps = {
  readonly clickhouse: ClickHouse
  readonly catalogue: Pick<Catalogue, 'putSchema'>
  readonly compiler: Pick<SchemaCompiler, 'decode'>
  readonly registry: Pick<Registry, 'find'>
  /** Other processes of the service are on the same ClickHouse. */
  readonly isShared: boolean
}

/** Brings an edit into its next state, or throws where that state does not follow or its promises do not hold. */
export type Move = (edit: Edit, state: SchemaState, record?: EditRecord) => Promise<void>

export function createMove({ clickhouse, catalogue, compiler, registry, isShared }: MoveDeps): Move {
  const tables = createSchemaTables(clickhouse)

  /** The tables in the schema's places, and those beside them, are those of the state. */
  async function assertTables({ name, record, state: before }: Edit, state: SchemaState): Promise<void> {
    if (record.from === record.to) return
    const { beside, replaced } = planEdit(changeOf(record, compiler.decode), new Set(), record.id)
    const wanted: readonly string[] = state === 'building' || state === 'filling' ? beside[state] : []
    const there = await tables.names(name)
    for (const table of Object.values(beside).flat()) {
      const isThere = there.has(table)
      const isRight = isThere === wanted.includes(table)
      assert.ok(isRight, `schema ${name} cannot be ${state}: ${table} is ${isThere ? 'still there' : 'missing'}`)
    }
    const stands = before === 'filling' || state === 'filling'
    await assertPlaces(clickhouse, { schema: name, id: record.id, replaced }, stands)
  }

  return async (edit, state, record = edit.record) => {
    const { name, state: before } = edit
    assert.ok(schemaStates[before].next.includes(state), `schema ${name} is ${before} and cannot become ${state}`)
    if (schemaStates[before].events === 'wait' || schemaStates[state].events === 'wait') {
      const isShut = registry.find(name)?.gate.isShut() ?? false
      assert.ok(isShut || record.feedsStay, `schema ${name} cannot become ${state} while its events flow`)
    }
    if (state !== 'editing' && state !== before) await assertTables(edit, state)
    if (edit.state !== state) edit.filled = 0
    edit.state = state
    if (record.feedsStay && !isShared) return
    const settled = before === 'filling' ? record.to : record.from
    await catalogue.putSchema({ name, body: state === 'ready' ? settled : JSON.stringify(record), state })
  }
}
