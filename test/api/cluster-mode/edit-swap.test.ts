import '../../support/clickhouse/on-cluster.ts'
import '../schemas/edit-swap.test.ts'
