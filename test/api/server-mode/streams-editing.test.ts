import '../../support/on-server.ts'
import '../streams/editing.test.ts'
