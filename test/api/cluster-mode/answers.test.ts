import '../../support/on-cluster.ts'
import '../mode-cases.ts'
