import '../../support/on-server.ts'
import '../conditions.test.ts'
