type JsonSchema = Readonly<Record<string, unknown>>

/** Members of a schema that hold values of clients, and no schemas. */
const values = new Set(['default', 'enum', 'const', 'example', 'examples', 'required'])

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Changes a schema and all schemas in it, the inner ones first. */
export function everySchema(schema: unknown, change: (schema: JsonSchema) => JsonSchema): unknown {
  if (Array.isArray(schema)) return schema.map((each) => everySchema(each, change))
  if (!isObject(schema)) return schema
  const inner = Object.entries(schema).map(([name, member]) => {
    if (values.has(name)) return [name, member]
    if (name !== 'properties' || !isObject(member)) return [name, everySchema(member, change)]
    return [name, Object.fromEntries(Object.entries(member).map(([key, own]) => [key, everySchema(own, change)]))]
  })
  return change(Object.fromEntries(inner))
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/**
 * A schema in types that generated clients have: codes as names or as their numbers, whole numbers as integers of 64
 * bits, other numbers as doubles.
 */
export const plainTypes = (schema: JsonSchema): JsonSchema => everySchema(schema, plain) as JsonSchema

function plain(schema: JsonSchema): JsonSchema {
  const named = listOf(schema.enum)
  const names = named.filter((value) => typeof value === 'string')
  if (names.length > 0 && names.length < named.length) {
    const { enum: _, type: __, ...rest } = schema
    const numbers = named.filter((value) => typeof value === 'number')
    return {
      ...rest,
      anyOf: [
        { type: 'string', enum: names },
        { type: 'integer', enum: numbers },
      ],
    }
  }
  if (schema.type !== 'number' && schema.type !== 'integer') return schema
  const fixed = 'const' in schema ? [schema.const] : named
  if (fixed.length > 0) return fixed.every(Number.isInteger) ? { ...schema, type: 'integer' } : schema
  if (schema.format !== undefined) return schema
  if (schema.type === 'number') return { ...schema, format: 'double' }
  return isSmall(schema.maximum) ? schema : { ...schema, format: 'int64' }
}

const isSmall = (maximum: unknown): boolean => typeof maximum === 'number' && maximum < 2 ** 31
