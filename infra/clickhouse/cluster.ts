import { readOnCluster } from '../../sql/cluster/reads.ts'
import { onCluster } from '../../sql/cluster/statements.ts'
import { bind, type SqlStatement } from '../../sql/statement.ts'
import type { ClickHouse } from './clickhouse.ts'

/** A server of a cluster: what makes or changes tables does so on all nodes. */
export function createClusterClickHouse(clickhouse: ClickHouse, cluster: string): ClickHouse {
  const overShards = (statement: SqlStatement): SqlStatement => ({
    ...statement,
    text: readOnCluster(statement.text, cluster),
  })

  return {
    ...clickhouse,
    read: (statement, format) => clickhouse.read(overShards(statement), format),
    rows: (statement) => clickhouse.rows(overShards(statement)),
    async run(statement) {
      const text = typeof statement === 'string' ? statement : bind(statement)
      for (const each of onCluster(text, cluster)) await clickhouse.run(each)
    },
  }
}
