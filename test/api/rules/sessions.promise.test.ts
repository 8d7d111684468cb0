/** Sessions over the embedded log. */
import test from 'ava'
import { startSchemas } from './acceptance.ts'
import { cases, casesOfOneOrder } from './session-cases.ts'

const schemas = await startSchemas('session')

for (const [title, run] of Object.entries({ ...cases, ...casesOfOneOrder })) test(title, (t) => run(t, schemas))
