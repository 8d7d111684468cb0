/** JSON Schema (2020-12) of definitions in words, by which editors complete and check them. */
import type { Json } from '../../../base/json.ts'
import type { JsonSchema, Part } from './codec.ts'
import { schema as definition, parts } from './members.ts'

const extra: JsonSchema = {
  type: 'object',
  description: 'members of the wire form that have no word; they are kept and shown as they are',
}

function ofPart({ id, says, members, short }: Part): JsonSchema {
  const properties = Object.fromEntries(
    members.map(({ word, says: description, example, schema }): [string, Json] => [
      word,
      { description, ...schema, ...(example !== undefined && { examples: [example] }) },
    ]),
  )
  const object = { type: 'object', properties: { ...properties, extra }, additionalProperties: false }
  const alone = short === undefined ? undefined : members.find(({ word }) => word === short)?.schema
  const described = { title: id.replaceAll('_', ' '), description: says }
  return alone ? { ...described, anyOf: [{ ...alone }, object] } : { ...described, ...object }
}

export const definitionSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'A schema of Weir, in words',
  $ref: `#/$defs/${definition.id}`,
  $defs: Object.fromEntries(parts.map((part) => [part.id, ofPart(part)])),
}
