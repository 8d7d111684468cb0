import '../../support/clickhouse/on-server.ts'
import '../mode-cases.ts'
