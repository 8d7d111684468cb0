import { runsPart } from './run-part.ts'

runsPart('clients')
