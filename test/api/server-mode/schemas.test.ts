import '../../support/on-server.ts'
import '../schemas.test.ts'
