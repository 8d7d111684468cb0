import type { SchemaRecord } from '../../infra/catalogue/catalogue.ts'
import { type ClickHouse, runAll } from '../../infra/clickhouse/clickhouse.ts'
import type { Logger } from '../../infra/logger.ts'
import { compileOldNodes, feedNodes, swapNodes } from '../../sql/schema/ddl/graph/upgrade-nodes.ts'
import { schemaGraph } from '../../sql/schema/names.ts'
import type { SchemaCompiler } from './compile-schema.ts'

export type GraphUpgradeDeps = {
  readonly clickhouse: ClickHouse
  readonly compiler: Pick<SchemaCompiler, 'decode'>
  readonly logger: Logger
}

/**
 * Brings the nodes of graphs that an earlier version made into the form of this one, and ends what a crash cut off. Runs
 * with the catalogue's lease, before any event is fed; processes of the earlier version must have ended.
 */
export async function upgradeGraphs(deps: GraphUpgradeDeps, records: readonly SchemaRecord[]): Promise<void> {
  const { clickhouse, compiler, logger } = deps
  for (const { graph, isOld } of await clickhouse.rows<{ graph: string; isOld: number }>(compileOldNodes)) {
    const record = records.find(({ name, state }) => schemaGraph(name) === graph && state !== 'gone')
    if (record && record.state !== 'ready') {
      throw new Error(
        `schema ${record.name} is left half-changed: start once more with the version before, then upgrade to this one`,
      )
    }
    logger.info({ graph }, 'graph of an earlier version, bringing its nodes up to date')
    const schema = record && compiler.decode(record.body)
    if (Number(isOld) > 0) await runAll(clickhouse, swapNodes(graph, schema))
    await runAll(clickhouse, feedNodes(graph, schema))
  }
}
