import '../../support/on-server.ts'
import '../tables/tables.test.ts'
