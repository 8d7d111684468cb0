import '../../support/clickhouse/on-cluster.ts'
import '../rules/acceptance-references.promise.test.ts'
