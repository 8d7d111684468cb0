import '../../support/on-cluster.ts'
import '../ingest.test.ts'
