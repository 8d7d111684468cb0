import { runsPart } from './run-part.ts'

runsPart('events', 2)
