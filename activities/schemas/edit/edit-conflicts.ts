import type { Catalogue } from '../../../infra/catalogue/catalogue.ts'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { qualified } from '../../../sql/identifier.ts'
import type { EventColumns } from '../../../sql/query/compile/source.ts'
import { columnType, storedAttributes, typeOfColumn } from '../../../sql/schema/columns.ts'
import { changedEntitySources, compileOldChanged } from '../../../sql/schema/ddl/edit/expired-data.ts'
import { derivedTables } from '../../../sql/schema/ddl/schema.ts'
import type { Attribute, Schema, Stream } from '../../../sql/schema/schema.ts'
import { entitiesLose, keptFrom } from '../rebuild/find-loss.ts'

export type AskedEdit = {
  readonly clickhouse: ClickHouse
  readonly catalogue: Pick<Catalogue, 'completeSince' | 'erased'>
  readonly from: Schema
  readonly to: Schema
  readonly columns: ReadonlyMap<string, EventColumns>
  readonly force: boolean
  /** Runs its work while no event of the schema is on its way. */
  readonly quiesced: (work: () => Promise<void>) => Promise<void>
}

/** The reasons to refuse an edit: it changes the meaning of kept data, or loses some of it and is not forced. */
export async function editConflicts(edit: AskedEdit): Promise<string[]> {
  const { clickhouse, from, to, columns, force } = edit
  const conflicts: string[] = []
  for (const before of from.streams) {
    const after = to.streams.find(({ name }) => name === before.name)
    if (after) conflicts.push(...changes(before, after, columns.get(before.name)))
    if (after && !force) conflicts.push(...shortened(before, after), ...(await outlived(edit, before)))
    if (!after && !force && (await holdsData(clickhouse, from, before))) {
      conflicts.push(
        `stream ${before.name} holds ${before.kind === 'entity' ? 'aggregates' : 'events'} that would be lost; ?force=1 drops it all the same`,
      )
    }
  }
  return conflicts
}

function changes(before: Stream, after: Stream, columns: EventColumns | undefined): string[] {
  if (before.kind !== after.kind)
    return [`stream ${before.name} is of type ${before.kind} and stays so, got ${after.kind}`]
  const hasValues = ({ primaryKey }: Attribute): boolean => before.kind !== 'entity' || primaryKey
  // The result of an entity holds a value object, whatever type stands for it.
  const types = new Map(before.attributes.filter(hasValues).map(({ name, type }) => [name, type]))
  const changed = after.attributes.flatMap(({ name, type }) => {
    const known = types.get(name)
    return known === undefined || known === type
      ? []
      : [`attribute ${before.name}.${name} is ${known} and stays so, got ${type}`]
  })
  const kept = storedAttributes(after).flatMap(({ name, type }) => {
    const column = columns?.all.get(name)
    const isChanged = column !== undefined && column !== columnType(type) && !types.has(name)
    return isChanged
      ? [
          `attribute ${before.name}.${name} was ${typeOfColumn(column)} before it was dropped; give it that type or another name`,
        ]
      : []
  })
  return [...changed, ...kept]
}

function shortened(before: Stream, after: Stream): string[] {
  const isShorter = after.window !== 0 && (before.window === 0 || after.window < before.window)
  if (before.kind === 'entity' || !isShorter) return []
  const kept = before.window === 0 ? 'for ever' : `${before.window} seconds`
  return [
    `swsz of stream ${before.name}: events stay ${kept}, ${after.window} would lose some; ?force=1 shortens it all the same`,
  ]
}

/** An aggregate of another kind, granularity or key is filled from the events that are still there. */
async function outlived({ clickhouse, catalogue, from, to, quiesced }: AskedEdit, before: Stream): Promise<string[]> {
  if (before.kind === 'entity') return []
  const cutoff_us = await keptFrom(catalogue, from, before)
  if (cutoff_us === undefined) return []
  const lost = (what: string): string[] => [
    `${what} of stream ${before.name} that change hold events that have expired and would be lost; ?force=1 changes them all the same`,
  ]
  for (const statement of compileOldChanged(from, to, before.name, cutoff_us)) {
    if ((await clickhouse.rows(statement)).length > 0) return lost('statistics')
  }
  const sources = changedEntitySources(from, to, before)
  const erased = (await catalogue.erased(from.name)).get(before.name)?.counts
  const loss = { schema: from, stream: before, sources, erased, cutoff_us }
  return (await entitiesLose(clickhouse, quiesced, loss)) ? lost('entities') : []
}

/** Aggregates outlive the events, and an entity stream has nothing else. */
async function holdsData(clickhouse: ClickHouse, schema: Schema, stream: Stream): Promise<boolean> {
  const aggregates = derivedTables(schema, stream).map(({ aggregate }) => aggregate.table)
  for (const table of stream.kind === 'entity' ? aggregates : [stream.name, ...aggregates]) {
    const text = `SELECT 1 AS one FROM ${qualified(schema.name, table)} LIMIT 1`
    if ((await clickhouse.rows({ text, params: {} })).length > 0) return true
  }
  return false
}
