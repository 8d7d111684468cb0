import { z } from 'zod'
import { plainTypes } from './plain-types.ts'

type JsonSchema = Readonly<Record<string, unknown>>

/** Schemas that have a name stand once in the document. */
export function createSchemas() {
  const components: Record<string, JsonSchema> = {}
  const responses: Record<string, unknown> = {}

  function keep(name: string, schema: JsonSchema): void {
    const known = components[name]
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two schemas of the document are called ${name}`)
    components[name] = schema
  }

  /** Keeps a schema under its name; of a choice each object has a name as well, since generators of clients need one. */
  function keepAll(name: string, schema: JsonSchema): void {
    if (!Array.isArray(schema.anyOf)) {
      keep(name, schema)
      return
    }
    const anyOf = schema.anyOf.map((one: JsonSchema, i) => {
      if (one.type !== 'object') return one
      keep(`${name}${i + 1}`, one)
      return { $ref: `#/components/schemas/${name}${i + 1}` }
    })
    keep(name, { ...schema, anyOf })
  }

  /** `input`: the members that a client may send; `output`: all members that it gets. */
  function of(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
    const made = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: tellDefault })
    const {
      $schema: _,
      $defs = {},
      ...own
    }: { $schema?: unknown; $defs?: Record<string, JsonSchema> } & JsonSchema = JSON.parse(
      JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/'),
    )
    for (const [name, definition] of Object.entries($defs)) {
      const { id: _, ...kept } = plainTypes(definition)
      keepAll(name, kept)
    }
    const { id, ...plain } = plainTypes(own)
    if (typeof id !== 'string') return plain
    keepAll(id, plain)
    return { $ref: `#/components/schemas/${id}` }
  }

  /** As `of`, under a name of its own where the schema has none and is an object or a choice. */
  function named(name: string, schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
    const made = of(schema, io)
    if (made.type !== 'object' && made.anyOf === undefined) return made
    keepAll(name, made)
    return { $ref: `#/components/schemas/${name}` }
  }

  /** A response that many calls have. */
  const respond = (name: string, response: unknown): void => {
    responses[name] ??= response
  }

  return { of, named, respond, components, responses }
}

/** Zod leaves out the default of a member that is turned into another type as it is read. */
function tellDefault({
  zodSchema,
  jsonSchema,
}: Parameters<NonNullable<z.core.ToJSONSchemaParams['override']>>[0]): void {
  const { def } = zodSchema._zod
  if (def.type !== 'default' || jsonSchema.default !== undefined) return
  jsonSchema.default = typeof def.defaultValue === 'boolean' ? Number(def.defaultValue) : def.defaultValue
}

export type Schemas = ReturnType<typeof createSchemas>
