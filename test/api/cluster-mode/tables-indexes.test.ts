import '../../support/on-cluster.ts'
import '../tables/indexes.test.ts'
