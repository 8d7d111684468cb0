import '../../support/clickhouse/on-cluster.ts'
import '../tables/records.test.ts'
