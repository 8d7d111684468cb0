import '../../support/clickhouse/on-server.ts'
import '../crash.test.ts'
