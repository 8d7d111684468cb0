import '../../support/clickhouse/on-server.ts'
import '../crash.process.test.ts'
