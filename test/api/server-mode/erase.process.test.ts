import '../../support/clickhouse/on-server.ts'
import '../streams/erase.test.ts'
