import '../../support/on-server.ts'
import '../schemas/editing.test.ts'
