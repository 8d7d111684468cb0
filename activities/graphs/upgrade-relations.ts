import type { Exclusively } from '../../base/mutex.ts'
import { type ClickHouse, runAll } from '../../infra/clickhouse/clickhouse.ts'
import type { Logger } from '../../infra/logger.ts'
import { compileOldGraphs } from '../../sql/graph/index.ts'
import { upgradeGraph } from '../../sql/schema/ddl/graph/graph.ts'

export type RelationUpgradeDeps = {
  readonly clickhouse: ClickHouse
  readonly merging: Exclusively
  readonly logger: Logger
}

/**
 * Brings the relations of graphs that an earlier version made into the form of this one, and ends what a crash cut off. A
 * column of each graph is written anew: some 3 s for a million relations.
 */
export async function upgradeRelations({ clickhouse, merging, logger }: RelationUpgradeDeps): Promise<void> {
  const old = () => clickhouse.rows<{ table: string }>(compileOldGraphs)
  if ((await old()).length === 0) return
  await merging(async () => {
    for (const { table } of await old()) {
      const graph = table.replace(/_rel$/, '')
      logger.info({ graph }, 'graph of an earlier version, bringing its relations up to date')
      await runAll(clickhouse, upgradeGraph(graph))
    }
  })
}
