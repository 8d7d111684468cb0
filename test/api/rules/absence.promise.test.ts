/** Absence over the embedded log: rows of events that did not come. */
import test from 'ava'
import { cases, casesOfOneOrder } from './absence-cases.ts'
import { startSchemas } from './acceptance.ts'

const schemas = await startSchemas('absence')

for (const [title, run] of Object.entries({ ...cases, ...casesOfOneOrder })) test(title, (t) => run(t, schemas))
