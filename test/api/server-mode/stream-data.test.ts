import '../../support/on-server.ts'
import '../stream-data.test.ts'
