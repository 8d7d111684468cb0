/** The answer of `GET /graph/stat/<verbose>`: every member of each graph, whichever way it is called. */
import { type ClickHouse, isAbsent } from '../../infra/clickhouse/clickhouse.ts'
import { compileCounts, geoIndexCounts } from '../../sql/graph/index.ts'
import { graphDatabase, graphTables, propertyTable, tripleTable } from '../../sql/schema/names.ts'
import { compileParts } from '../../sql/table/statistics.ts'

type Counts = { readonly nodes: string; readonly triples: string }
type Parts = { readonly table: string; readonly files: readonly string[]; readonly bytes: number | string }

/** The nodes and relations of a graph; undefined where there is none. */
export async function countGraph(clickhouse: ClickHouse, graph: string): Promise<number | undefined> {
  const [counts] = await clickhouse.rows<Counts>(compileCounts(graph)).catch(noneWhereGone)
  return counts && Number(counts.nodes) + Number(counts.triples)
}

export async function graphStatistics(clickhouse: ClickHouse, graphs: readonly string[]) {
  const tables = graphs.flatMap(graphTables)
  const parts = tables.length > 0 ? await clickhouse.rows<Parts>(compileParts(graphDatabase, tables)) : []
  const counted = await clickhouse.rows<{ readonly graph: string; readonly indexes: number }>(geoIndexCounts)
  const indexes = new Map(counted.map((each) => [each.graph, each.indexes]))
  const item = (name: string, table: string, records: string | undefined, indexes = 0) => {
    const found = parts.find((each) => each.table === table)
    const files = found?.files ?? []
    return {
      name,
      issys: 0,
      num_records: Number(records ?? 0),
      num_index: indexes,
      files,
      total_size: Number(found?.bytes ?? 0),
      num_files: files.length,
    }
  }
  const described = []
  for (const graph of graphs) {
    const [counts] = await clickhouse.rows<Counts>(compileCounts(graph)).catch(noneWhereGone)
    if (counts === undefined) continue
    const entity = item(graph, propertyTable(graph), counts.nodes, indexes.get(graph))
    const rel = item(tripleTable(graph), tripleTable(graph), counts.triples)
    described.push({ [graph]: [entity.name, rel.name], entity: { table: [entity] }, rel: { table: [rel] } })
  }
  return { graphs: described, num_graphs: described.length }
}

/** A graph may go while the others are counted. */
function noneWhereGone(error: unknown): never[] {
  if (isAbsent(error)) return []
  throw error
}
