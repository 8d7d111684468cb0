import { runsPart } from './run-part.ts'

runsPart('shop', 4)
