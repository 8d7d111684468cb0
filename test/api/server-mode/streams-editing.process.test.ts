import '../../support/clickhouse/on-server.ts'
import '../schemas/editing.test.ts'
