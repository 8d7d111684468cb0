import '../../support/on-server.ts'
import '../schemas/edit-cases.ts'
