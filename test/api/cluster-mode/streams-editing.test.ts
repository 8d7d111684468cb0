import '../../support/on-cluster.ts'
import '../schemas/edit-cases.ts'
