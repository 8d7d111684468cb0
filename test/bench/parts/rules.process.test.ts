import { runsPart } from './run-part.ts'

runsPart('rules', 9)
