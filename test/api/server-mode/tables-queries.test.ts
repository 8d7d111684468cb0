import '../../support/on-server.ts'
import '../tables/queries.test.ts'
