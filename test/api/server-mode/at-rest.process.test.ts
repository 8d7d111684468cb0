import '../../support/clickhouse/on-server.ts'
import '../graphs/at-rest.test.ts'
