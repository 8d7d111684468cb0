import '../../support/on-server.ts'
import '../crash.test.ts'
