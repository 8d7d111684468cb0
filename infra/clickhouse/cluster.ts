import { onCluster } from '../../sql/cluster/statements.ts'
import { bind } from '../../sql/statement.ts'
import type { ClickHouse } from './clickhouse.ts'

/** A server of a cluster: what makes or changes tables does so on all nodes. */
export const createClusterClickHouse = (clickhouse: ClickHouse, cluster: string): ClickHouse => ({
  ...clickhouse,
  async run(statement) {
    const text = typeof statement === 'string' ? statement : bind(statement)
    for (const each of onCluster(text, cluster)) await clickhouse.run(each)
  },
})
