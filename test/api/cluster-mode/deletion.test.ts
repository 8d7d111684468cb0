import '../../support/clickhouse/on-cluster.ts'
import '../deletion/undo.test.ts'
