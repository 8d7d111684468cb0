import '../../support/clickhouse/on-cluster.ts'
import '../schemas/editing.test.ts'
