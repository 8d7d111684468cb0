import { onCluster, readOnCluster } from '../../sql/cluster.ts'
import { bind } from '../../sql/statement.ts'
import type { ClickHouse, Question } from './clickhouse.ts'

/** A server of a cluster: statements that make or change tables do so on all nodes. */
export function createClusterClickHouse(clickhouse: ClickHouse, cluster: string): ClickHouse {
  const overShards = <Row>(statement: Question<Row>): Question<Row> => ({
    ...statement,
    text: readOnCluster(statement.text, cluster),
  })

  return {
    ...clickhouse,
    read: (statement, format) => clickhouse.read(overShards(statement), format),
    rows: (statement) => clickhouse.rows(overShards(statement)),
    async run(statement) {
      // A client's statements change rows, never tables.
      if (typeof statement !== 'string' && statement.within) return clickhouse.run(statement)
      const text = typeof statement === 'string' ? statement : bind(statement)
      for (const each of onCluster(text, cluster)) await clickhouse.run(each)
    },
  }
}
