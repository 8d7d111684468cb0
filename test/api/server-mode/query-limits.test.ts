import '../../support/on-server.ts'
import '../query-limits.test.ts'
