import '../../support/on-cluster.ts'
import '../graph-queries.test.ts'
