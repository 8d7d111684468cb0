import { readFileSync } from 'node:fs'
import { decodeSchema } from '../../sql/schema/decode.ts'
import type { Schema, Stream } from '../../sql/schema/schema.ts'

/** The body of a schema with streams that rules make: by a join with a notification, a computed attribute, a moving filter. */
export const plantWire = JSON.parse(
  readFileSync(new URL('../sql/schema/ddl/examples/made.json', import.meta.url), 'utf8'),
)

export const plant: Schema = decodeSchema(plantWire)

export const streamOf = (schema: Schema, name: string): Stream => {
  const found = schema.streams.find((stream) => stream.name === name)
  if (found) return found
  throw new Error(`no stream ${name}`)
}
