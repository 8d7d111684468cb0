import '../../support/on-cluster.ts'
import '../schemas/editing.test.ts'
