import '../../support/on-cluster.ts'
import '../streams/editing.test.ts'
