// Two files that git does not keep tell the page about the service: console/api/calls.ts has the types of calls, out of
// docs/openapi.json, and console/api/codes.ts the names of codes of the wire, out of sql/schema/codes.ts.

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { read, root } from '../processes/run.js'

/** @typedef {{ $ref?: string, type?: string | string[], enum?: unknown[], const?: unknown, anyOf?: Schema[],
 *   oneOf?: Schema[], allOf?: Schema[], items?: Schema, prefixItems?: Schema[], properties?: Record<string, Schema>,
 *   required?: string[], additionalProperties?: Schema | boolean }} Schema */
/** @typedef {{ responses: Record<string, { content?: Record<string, { schema: Schema }> }>,
 *   requestBody?: { content: Record<string, { schema: Schema }> } }} Operation */

const callsFile = 'console/api/calls.ts'
const codesFile = 'console/api/codes.ts'
const codeTables = ['streamKinds', 'attributeTypes', 'statistics']

/** Writes the files where they differ. */
export function writeConsoleTypes() {
  if (!existsSync(join(root, 'console')) || !existsSync(join(root, 'docs/openapi.json'))) return
  write(callsFile, typesOf(JSON.parse(read('docs/openapi.json'))))
  write(codesFile, codesOf(read('sql/schema/codes.ts'), codeTables))
}

/** @param {string} file
 * @param {string} wanted */
function write(file, wanted) {
  if (read(file) !== wanted) writeFileSync(join(root, file), wanted)
}

/** Tables from each form of a code, in upper case, to its name.
 * @param {string} source a program with code tables
 * @param {readonly string[]} tables
 * @returns {string} */
export function codesOf(source, tables) {
  const made = tables.map((table) => {
    const begin = source.indexOf(`export const ${table} = table(`)
    if (begin === -1) throw new Error(`sql/schema/codes.ts has no table ${table}`)
    const end = source.indexOf('\nexport ', begin + 1)
    const text = source.slice(begin, end === -1 ? undefined : end)
    const numbers = [...text.matchAll(/\[(\d+), '([^']+)'\]/g)].map(([, number = '', name = '']) => ({ number, name }))
    const aliases = [...text.matchAll(/(\w+): '([^']+)'/g)].map(([, alias = '', name = '']) => [alias, name])
    const forms = [
      ...numbers.flatMap(({ number, name }) => [
        [number, name],
        [name.toUpperCase(), name],
      ]),
      ...aliases,
    ]
    const names = numbers.map(({ name }) => `'${name}'`).join(' | ')
    const members = forms.map(([form, name]) => `  ${form}: '${name}',`)
    return `export const ${table}: Readonly<Record<string, ${names}>> = {\n${members.join('\n')}\n}`
  })
  return ['// Made of sql/schema/codes.ts by scripts/console/types.js.', ...made, ''].join('\n')
}

/** @param {{ paths: Record<string, Record<string, Operation>>, components: { schemas: Record<string, Schema> } }} document
 * @returns {string} */
export function typesOf({ paths, components }) {
  const named = Object.entries(components.schemas).map(([name, schema]) => `export type ${name} = ${typeOf(schema)}`)
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => {
      const answers = Object.values(responses['200']?.content ?? {}).map(({ schema }) => typeOf(schema))
      const answer = [...new Set(answers)].join(' | ') || 'undefined'
      return `  readonly ${JSON.stringify(`${method.toUpperCase()} ${path}`)}: ${answer}`
    }),
  )
  return [
    '// Made of docs/openapi.json by scripts/console/types.js.',
    ...named,
    '/** The answers of all calls. */',
    `export type Calls = {\n${calls.join('\n')}\n}`,
    '',
  ].join('\n')
}

/** @param {Schema} schema
 * @returns {string} */
function typeOf(schema) {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown'
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' | ')
  const some = schema.anyOf ?? schema.oneOf
  if (some) return unionOf(some.map(typeOf))
  if (schema.allOf) return schema.allOf.map((each) => `(${typeOf(each)})`).join(' & ')
  if (Array.isArray(schema.type)) return unionOf(schema.type.map((type) => typeOf({ ...schema, type })))
  return plain(schema)
}

/** @param {Schema} schema
 * @returns {string} */
function plain(schema) {
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'number':
    case 'integer':
      return 'number'
    case 'array':
      if (schema.prefixItems) return `readonly [${schema.prefixItems.map(typeOf).join(', ')}]`
      return `readonly (${schema.items ? typeOf(schema.items) : 'unknown'})[]`
    case 'object':
      return objectOf(schema)
    default:
      return 'unknown'
  }
}

/** @param {Schema} schema
 * @returns {string} */
function objectOf({ properties = {}, required = [], additionalProperties }) {
  const members = Object.entries(properties).map(
    ([name, schema]) => `readonly ${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  )
  if (members.length > 0) return `{ ${members.join('; ')} }`
  const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'
  return `{ readonly [name: string]: ${values} }`
}

/** @param {string[]} types */
const unionOf = (types) => [...new Set(types)].join(' | ')
