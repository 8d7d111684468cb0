import '../../support/on-server.ts'
import '../streams/registration.test.ts'
