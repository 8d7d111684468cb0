import '../../support/on-server.ts'
import '../streams/queries.test.ts'
