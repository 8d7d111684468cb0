import '../../support/on-cluster.ts'
import '../tables/records.test.ts'
