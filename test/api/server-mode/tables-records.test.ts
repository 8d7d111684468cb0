import '../../support/on-server.ts'
import '../tables/records.test.ts'
