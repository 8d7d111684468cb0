import '../../support/clickhouse/on-server.ts'
import '../deletion/undo.test.ts'
