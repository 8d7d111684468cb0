import test from 'ava'
import { codesOf, typesOf } from '../../../scripts/console/types.js'

const schemas = {
  Thing: {
    type: 'object',
    properties: { 'a-b': { type: 'string' }, n: { type: ['integer', 'null'] }, code: { enum: [1, 'ONE'] } },
    required: ['n'],
  },
  Things: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
  Either: { anyOf: [{ const: 0 }, { type: 'boolean' }] },
  Named: { type: 'object', additionalProperties: { type: 'number' } },
  Any: {},
}
const answer = (name: string) => ({
  responses: { '200': { content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } } },
})
const document = {
  paths: { '/things/{id}': { get: answer('Thing'), delete: { responses: {} } }, '/things': { get: answer('Things') } },
  components: { schemas },
}

test('each schema of the document is a type, and each call has that of its answer', (t) => {
  t.is(
    typesOf(document),
    `// Made of docs/openapi.json by scripts/console/types.js.
export type Thing = { readonly "a-b"?: string; readonly "n": number | null; readonly "code"?: 1 | "ONE" }
export type Things = readonly (Thing)[]
export type Either = 0 | boolean
export type Named = { readonly [name: string]: number }
export type Any = unknown
/** The answers of all calls. */
export type Calls = {
  readonly "GET /things/{id}": Thing
  readonly "DELETE /things/{id}": undefined
  readonly "GET /things": Things
}
`,
  )
})

test('each form of a code leads to its name', (t) => {
  const source = `export const kinds = table(
  'type',
  [
    [1, 'input'],
    [4, 'entity'],
  ],
  { PATTERN: 'input' },
)

export const statistics = table('stat', [[3, 'RSTAT']])
`
  t.is(
    codesOf(source, ['kinds', 'statistics']),
    `// Made of sql/schema/codes.ts by scripts/console/types.js.
export const kinds: Readonly<Record<string, 'input' | 'entity'>> = {
  1: 'input',
  INPUT: 'input',
  4: 'entity',
  ENTITY: 'entity',
  PATTERN: 'input',
}
export const statistics: Readonly<Record<string, 'RSTAT'>> = {
  3: 'RSTAT',
  RSTAT: 'RSTAT',
}
`,
  )
  t.throws(() => codesOf(source, ['models']), { message: /no table models/ })
})
