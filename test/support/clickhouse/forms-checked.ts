import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { onCluster } from '../../../sql/cluster.ts'
import { bind } from '../../../sql/statement.ts'

/** Runs on a single server alone. */
const single = /^(OPTIMIZE TABLE|SYSTEM (START|STOP) MERGES) /

/** Fails for a statement that has no form on a cluster, so that the test that first runs it tells, and not a cluster. */
export const formsChecked = (clickhouse: ClickHouse): ClickHouse => ({
  ...clickhouse,
  async run(statement) {
    if (typeof statement === 'string' || !statement.within) {
      const text = typeof statement === 'string' ? statement : bind(statement)
      if (!single.test(text)) onCluster(text, 'any')
    }
    await clickhouse.run(statement)
  },
})
