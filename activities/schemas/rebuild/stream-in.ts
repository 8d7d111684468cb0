import { fault } from '../../../base/faults.ts'
import type { Schema, Stream } from '../../../sql/schema/schema.ts'

/** The stream of that name; a fault `missing` where it is gone. */
export function streamIn(schema: Schema, name: string): Stream {
  const stream = schema.streams.find((each) => each.name === name)
  if (stream) return stream
  throw fault('missing', `no stream ${name} in schema ${schema.name}`)
}
