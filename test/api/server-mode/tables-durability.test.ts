import '../../support/on-server.ts'
import '../tables/durability.test.ts'
