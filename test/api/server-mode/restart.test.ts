import '../../support/on-server.ts'
import '../restart.test.ts'
