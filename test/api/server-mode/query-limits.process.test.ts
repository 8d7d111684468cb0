import '../../support/clickhouse/on-server.ts'
import '../query-limits.test.ts'
