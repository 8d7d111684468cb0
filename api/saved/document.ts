import type { Caller } from '../../activities/keys/caller.ts'
import type { Told } from '../../activities/saved/saved.ts'
import { type Json, writeJson } from '../../base/json.ts'
import type { Parameter } from '../../sql/saved/definition.ts'
import type { Kind } from '../../sql/saved/types.ts'
import { openParams } from '../../sql/saved/values.ts'

const kinds: Readonly<Record<Kind, object>> = {
  text: { type: 'string' },
  integer: { type: 'integer', format: 'int64' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  time: { type: 'string', format: 'date-time' },
  id: { type: 'string', format: 'uuid' },
}

const plain = (value: Json): unknown => JSON.parse(writeJson(value))

/** JSON Schema of a parameter's value. */
function schemaOf({ type, values, min, max, default: usual, description }: Parameter): object {
  const one = {
    ...kinds[type.kind],
    ...(values && { enum: values.map(plain) }),
    ...(min !== undefined && { minimum: Number(min) }),
    ...(max !== undefined && { maximum: Number(max) }),
  }
  return {
    ...(type.isList ? { type: 'array', items: one } : one),
    ...(description !== undefined && { description }),
    ...(usual !== undefined && { default: plain(usual) }),
  }
}

/** The path of a question's rows, as OpenAPI describes it to a caller whose key has values of its own. */
export function pathsOf({ name, question }: Told, { fixed = {} }: Pick<Caller, 'fixed'>): Record<string, unknown> {
  const { description } = question
  const parameters = Object.entries(openParams(question, fixed)).map(([each, parameter]) => ({
    name: each,
    in: 'query',
    required: parameter.default === undefined,
    schema: schemaOf(parameter),
  }))
  const rows = { type: 'array', items: { type: 'object' } }
  const answer = { type: 'object', properties: { rows, num_items: { type: 'integer' }, cursor: { type: 'string' } } }
  return {
    [`/saved/${name}/rows`]: {
      get: {
        operationId: `saved_${name}`,
        tags: ['saved'],
        summary: description ?? `Rows of the saved question ${name}`,
        ...(parameters.length > 0 && { parameters }),
        responses: {
          200: { description: 'success', content: { 'application/json': { schema: answer } } },
          400: { description: 'a parameter is missing, unknown or of another type' },
        },
        security: [{ apiKey: [] }, { bearer: [] }],
        'x-scope': ['read'],
      },
    },
  }
}
