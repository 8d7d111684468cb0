/** The statements that write: additions are parts of a group, the others have the graph for themselves. */
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import type { Clock } from '../../../infra/clock.ts'
import type { GraphChange } from '../../../sql/graph/index.ts'
import { PlacedRefusal } from '../../../sql/query/placed-refusal.ts'
import { chainAddition } from '../additions.ts'
import type { GraphWriter } from '../writer.ts'
import type { NodeChanges } from './node-changes.ts'

async function keepGeoIndex(
  clickhouse: ClickHouse,
  { kind: _, at: __, ...index }: Extract<GraphChange, { kind: 'geo index' }>,
  version: number,
): Promise<void> {
  const rows = Buffer.from(`${JSON.stringify({ ...index, state: 'there', version })}\n`)
  await clickhouse.insert({ table: '`weir`.`geo_indexes`', rows })
}

export type ChangeDeps = {
  readonly clickhouse: ClickHouse
  readonly clock: Clock
  readonly writer: GraphWriter
  readonly changes: Pick<NodeChanges, 'make'>
  readonly graph: string
}

export async function applyChange(deps: ChangeDeps, statement: GraphChange): Promise<unknown> {
  const { clickhouse, clock, writer, graph, changes } = deps
  switch (statement.kind) {
    case 'create':
      return writer.write(chainAddition(statement))
    case 'delete':
      return writer.alone(() => changes.make({ graph, primary: undefined, secondary: statement.node }))
    case 'merge':
      return writer.alone(() => changes.make({ graph, primary: statement.primary, secondary: statement.secondary }))
    case 'geo index':
      if (statement.graph !== graph) {
        throw new PlacedRefusal(statement.at, `the index is for the graph ${statement.graph}, and was sent to ${graph}`)
      }
      return writer.alone(() => keepGeoIndex(clickhouse, statement, clock.next()))
  }
}
