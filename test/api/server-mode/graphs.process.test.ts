import '../../support/clickhouse/on-server.ts'
import '../graphs/graphs.test.ts'
