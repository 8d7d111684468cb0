import { fault } from '../../base/faults.ts'
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import { compileGraphExists } from '../../sql/graph/index.ts'
import { compileHasDatabase } from '../../sql/schema/ddl/schema.ts'
import { schemaGraph } from '../../sql/schema/names.ts'
import type { StorageNames } from './storage-names.ts'

export type NameDeps = { readonly clickhouse: Pick<ClickHouse, 'rows'>; readonly names: StorageNames }

/** Takes a name for a schema and its graph, or throws a fault `conflict`: a thing that has one of the names already is left alone. */
export async function claimName({ clickhouse, names }: NameDeps, name: string): Promise<void> {
  names.claim(name, 'schema')
  const held = await holderOf(clickhouse, name)
  if (held === undefined) return
  names.release(name, 'schema')
  throw fault('conflict', held)
}

async function holderOf(clickhouse: NameDeps['clickhouse'], name: string): Promise<string | undefined> {
  const graph = schemaGraph(name)
  if ((await clickhouse.rows(compileHasDatabase(name))).length > 0)
    return `ClickHouse has a database ${name} that is none of Weir's; take another name`
  if ((await clickhouse.rows(compileGraphExists(graph))).length > 0)
    return `the graph of schema ${name} would be ${graph}, which is there already; take another name`
  return undefined
}
