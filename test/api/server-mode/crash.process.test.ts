import '../../support/clickhouse/on-server.ts'
import '../crash.promise.process.test.ts'
