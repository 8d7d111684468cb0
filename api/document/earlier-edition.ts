/** The document as OpenAPI 3.0.3, for generators of clients that do not read all of 3.1. */
import { everySchema } from './plain-types.ts'

type JsonSchema = Readonly<Record<string, unknown>>

export function earlierEdition(document: JsonSchema): JsonSchema {
  const isBare = bareIn(document)
  const {
    openapi: _,
    webhooks: __,
    info,
    ...rest
  } = everySchema(document, (schema) => withoutBare(earlier(schema), isBare)) as JsonSchema
  const { license: ___, ...known } = info as JsonSchema
  return { openapi: '3.0.3', info: { ...known, license: { name: 'Apache-2.0' } }, ...rest }
}

/** Members that 3.0 has not, where nothing else is told by them than how strict they are. */
const unknown = new Set(['propertyNames', 'const', '$schema'])

function earlier(schema: JsonSchema): JsonSchema {
  // A reference has no neighbours there.
  if (typeof schema.$ref === 'string') return { $ref: schema.$ref }
  const known = Object.fromEntries(Object.entries(schema).filter(([name]) => !unknown.has(name)))
  const fixed = 'const' in schema && !('properties' in schema) ? { enum: [schema.const] } : {}
  return withBounds(withTypes(withoutNull(withNames({ ...known, ...fixed }))))
}

/** Of a code, which is a name or its number, the names: generators of clients make no type of the two. */
function withNames(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.anyOf) || schema.anyOf.length !== 2) return schema
  const [names, numbers] = schema.anyOf
  if (names.type !== 'string' || !('enum' in names) || numbers.type !== 'integer' || !('enum' in numbers)) return schema
  const { anyOf: _, ...rest } = schema
  return { ...rest, type: 'string', enum: names.enum }
}

/** Whether a schema, or the one that it refers to, is a list or an object without members of its own. */
function bareIn(document: JsonSchema): (schema: JsonSchema) => boolean {
  const { schemas = {} } = (document.components ?? {}) as { schemas?: Readonly<Record<string, JsonSchema>> }
  return (schema) => {
    const { type, properties } = schemas[String(schema.$ref).split('/').at(-1) ?? ''] ?? schema
    return type === 'array' || (type === 'object' && properties === undefined)
  }
}

/** A bare schema beside others is any value: generators in Java name a class for each, and a generic class has no name. */
function withoutBare(schema: JsonSchema, isBare: (schema: JsonSchema) => boolean): JsonSchema {
  if (!Array.isArray(schema.anyOf) || !schema.anyOf.some(isBare)) return schema
  const { anyOf: some, ...rest } = schema
  const areObjects = some.every((one: JsonSchema) => one.type === 'object' || typeof one.$ref === 'string')
  return areObjects ? { ...rest, type: 'object', additionalProperties: {} } : rest
}

function withTypes(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.type)) return schema
  const { type: _, ...rest } = schema
  const types = schema.type.filter((type) => type !== 'null')
  const isNullable = types.length < schema.type.length && { nullable: true }
  if (types.length === 1) return { ...rest, type: types[0], ...isNullable }
  return { ...rest, anyOf: types.map((type) => ({ type })), ...isNullable }
}

function withoutNull(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.anyOf)) return schema
  const some = schema.anyOf.filter((one) => one.type !== 'null')
  if (some.length === schema.anyOf.length) return schema
  const { anyOf: _, ...rest } = schema
  const [only] = some
  if (some.length > 1) return { ...rest, anyOf: some, nullable: true }
  // Beside a reference generators pass over `nullable`, within `allOf` over that of a plain type.
  return typeof only.$ref === 'string' ? { ...rest, allOf: some, nullable: true } : { ...only, ...rest, nullable: true }
}

function withBounds(schema: JsonSchema): JsonSchema {
  const { exclusiveMinimum: above, exclusiveMaximum: below, ...rest } = schema
  return {
    ...rest,
    ...(typeof above === 'number' && { minimum: above, exclusiveMinimum: true }),
    ...(typeof below === 'number' && { maximum: below, exclusiveMaximum: true }),
  }
}
