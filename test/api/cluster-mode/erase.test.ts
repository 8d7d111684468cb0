import '../../support/clickhouse/on-cluster.ts'
import '../streams/erase.test.ts'
