import '../../support/on-server.ts'
import '../mode-cases.ts'
