/** The types of the client are those of the document of all calls. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import openapi, { astToString } from 'openapi-typescript'
import { matchesGolden } from '../../support/golden.ts'

test('clients/node/src/api.d.ts is made of docs/openapi.json', async (t) => {
  const document = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'))
  const made = await openapi(document, { defaultNonNullable: false, silent: true })
  const text = `// Made of docs/openapi.json by openapi-typescript: UPDATE_GOLDEN=1 npm test -- test/clients/node/api-types.test.ts\n\n${astToString(made)}`
  matchesGolden(t, text, new URL('../../../clients/node/src/api.d.ts', import.meta.url))
})
