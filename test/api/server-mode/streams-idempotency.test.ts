import '../../support/on-server.ts'
import '../streams/idempotency.test.ts'
