import '../../support/clickhouse/on-cluster.ts'
import '../mode-cases.ts'
