import '../../support/clickhouse/on-cluster.ts'
import '../graphs/graphs.test.ts'
