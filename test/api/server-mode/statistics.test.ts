import '../../support/on-server.ts'
import '../statistics.test.ts'
