import '../../support/on-cluster.ts'
import '../statistics.test.ts'
