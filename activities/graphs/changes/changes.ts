/** The statements that write: what only adds is a part of a group, the others have the graph for themselves. */
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import type { Clock } from '../../../infra/clock.ts'
import {
  compileBegunChanges,
  compileDelete,
  compileMerge,
  type GraphChange,
  type NodeKey,
} from '../../../sql/graph/index.ts'
import { PlacedRefusal } from '../../../sql/query/placed-refusal.ts'
import { goneTable } from '../../../sql/schema/ddl/gone.ts'
import type { SqlStatement } from '../../../sql/statement.ts'
import { chainAddition } from '../additions.ts'
import type { GraphWriter } from '../writer.ts'

/** What moves or takes away a whole node: it is merged into `primary`, or deleted where there is none. */
export type NodeChange = {
  readonly graph: string
  readonly primary: NodeKey | undefined
  readonly secondary: NodeKey
}

async function runAll(clickhouse: ClickHouse, statements: readonly SqlStatement[]): Promise<void> {
  for (const statement of statements) await clickhouse.run(statement)
}

async function note(clickhouse: ClickHouse, { graph, primary, secondary }: NodeChange, state: string, version: number) {
  const row = {
    graph,
    primary_label: primary?.label ?? '',
    primary_name: primary?.name ?? '',
    secondary_label: secondary.label,
    secondary_name: secondary.name,
    state,
    version,
  }
  await clickhouse.insert({ table: '`weir`.`graph_merges`', rows: Buffer.from(`${JSON.stringify(row)}\n`) })
}

export type NodeChangeDeps = {
  readonly clickhouse: ClickHouse
  readonly clock: Clock
  /** Whether a schema's events bring nodes into the graph. */
  readonly isFed: boolean
}

/** Written down first, so that nothing made anew from events brings the node back. */
async function noteGone({ clickhouse, clock, isFed }: NodeChangeDeps, graph: string, node: NodeKey): Promise<void> {
  if (!isFed) return
  const row = { graph, label: node.label, name: node.name, until: clock.next() }
  await clickhouse.insert({ table: goneTable, rows: Buffer.from(`${JSON.stringify(row)}\n`) })
}

/** Written down before it begins: what is left half-done is ended later, by the same statements. */
export async function changeNodes(deps: NodeChangeDeps, asked: NodeChange): Promise<void> {
  const { clickhouse, clock } = deps
  const { graph, primary, secondary } = asked
  await note(clickhouse, asked, 'begun', clock.next())
  await noteGone(deps, graph, secondary)
  await runAll(clickhouse, primary ? compileMerge(graph, primary, secondary) : compileDelete(graph, secondary))
  await note(clickhouse, asked, 'done', clock.next())
}

export async function begunChanges(clickhouse: ClickHouse): Promise<readonly NodeChange[]> {
  const rows = await clickhouse.rows<Record<string, string>>(compileBegunChanges)
  return rows.map(({ graph = '', primary_label: label = '', primary_name: name = '', ...row }) => ({
    graph,
    // No node has an empty label.
    primary: label === '' ? undefined : { label, name },
    secondary: { label: row.secondary_label ?? '', name: row.secondary_name ?? '' },
  }))
}

async function keepGeoIndex(
  clickhouse: ClickHouse,
  { kind: _, at: __, ...index }: Extract<GraphChange, { kind: 'geo index' }>,
  version: number,
): Promise<void> {
  const rows = Buffer.from(`${JSON.stringify({ ...index, state: 'there', version })}\n`)
  await clickhouse.insert({ table: '`weir`.`geo_indexes`', rows })
}

export type ChangeDeps = NodeChangeDeps & {
  readonly writer: GraphWriter
  readonly changing: (graph: string, work: () => Promise<void>) => Promise<void>
  readonly graph: string
}

export async function applyChange(deps: ChangeDeps, statement: GraphChange): Promise<unknown> {
  const { clickhouse, clock, writer, graph, changing } = deps
  const alone = (change: Omit<NodeChange, 'graph'>): Promise<void> =>
    writer.alone(() => changing(graph, () => changeNodes(deps, { graph, ...change })))
  switch (statement.kind) {
    case 'create':
      return writer.write(chainAddition(statement))
    case 'delete':
      return alone({ primary: undefined, secondary: statement.node })
    case 'merge':
      return alone({ primary: statement.primary, secondary: statement.secondary })
    case 'geo index':
      if (statement.graph !== graph) {
        throw new PlacedRefusal(statement.at, `the index is for the graph ${statement.graph}, and was sent to ${graph}`)
      }
      return writer.alone(() => keepGeoIndex(clickhouse, statement, clock.next()))
  }
}
