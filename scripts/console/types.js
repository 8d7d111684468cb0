// Types of the calls that the page makes, out of docs/openapi.json: console/api/calls.ts, which git does not keep.

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { read, root } from '../processes/run.js'

/** @typedef {{ $ref?: string, type?: string | string[], enum?: unknown[], const?: unknown, anyOf?: Schema[],
 *   oneOf?: Schema[], allOf?: Schema[], items?: Schema, prefixItems?: Schema[], properties?: Record<string, Schema>,
 *   required?: string[], additionalProperties?: Schema | boolean }} Schema */
/** @typedef {{ responses: Record<string, { content?: Record<string, { schema: Schema }> }>,
 *   requestBody?: { content: Record<string, { schema: Schema }> } }} Operation */

const file = 'console/api/calls.ts'

/** Writes the file where it differs. */
export function writeConsoleTypes() {
  if (!existsSync(join(root, 'console')) || !existsSync(join(root, 'docs/openapi.json'))) return
  const wanted = typesOf(JSON.parse(read('docs/openapi.json')))
  if (read(file) !== wanted) writeFileSync(join(root, file), wanted)
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
