import '../../support/clickhouse/on-cluster.ts'
import '../tables/indexes.test.ts'
