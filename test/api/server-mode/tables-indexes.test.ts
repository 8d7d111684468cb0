import '../../support/on-server.ts'
import '../tables/indexes.test.ts'
