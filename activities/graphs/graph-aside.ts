import { type ClickHouse, runAll } from '../../infra/clickhouse/clickhouse.ts'
import { asideGraph, createAsideDatabase, graphPlaces, renameGraphRows } from '../../sql/aside.ts'
import { createGraph, dropGraph, dropGraphAccess } from '../../sql/schema/ddl/graph/graph.ts'
import { graphDatabase, graphTables } from '../../sql/schema/names.ts'
import { moveTables, storedTables } from '../undo/moved-tables.ts'

/** Sets the tables of a graph aside under `id`, with the rows about it; nothing may be written to it meanwhile. Safe to repeat. */
export async function setGraphAside(clickhouse: ClickHouse, graph: string, id: string): Promise<void> {
  await runAll(clickhouse, [createAsideDatabase(id), ...dropGraphAccess(graph)])
  await moveTables(
    clickhouse,
    graphPlaces(graph, id).map(({ place, aside }) => ({ from: place, to: aside })),
  )
  await runAll(clickhouse, [...renameGraphRows(graph, asideGraph(id)), ...dropGraph(graph)])
}

/** Puts them back in their place, where there are any. Safe to repeat. */
export async function bringGraphBack(
  clickhouse: ClickHouse,
  graph: string,
  id: string,
  redelivered?: true,
): Promise<void> {
  await moveTables(
    clickhouse,
    graphPlaces(graph, id).map(({ place, aside }) => ({ from: aside, to: place })),
  )
  await runAll(clickhouse, renameGraphRows(asideGraph(id), graph))
  const tables = new Set(await storedTables(clickhouse, graphDatabase))
  if (graphTables(graph).some((table) => tables.has(table))) await runAll(clickhouse, createGraph(graph, redelivered))
}
