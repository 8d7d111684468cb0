import '../../support/clickhouse/on-packed-server.ts'
import '../mode-cases.ts'
