import '../../support/clickhouse/on-server.ts'
import '../tables/records.test.ts'
