import '../../support/on-server.ts'
import '../graph-queries.test.ts'
