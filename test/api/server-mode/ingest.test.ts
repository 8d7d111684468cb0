import '../../support/on-server.ts'
import '../ingest.test.ts'
