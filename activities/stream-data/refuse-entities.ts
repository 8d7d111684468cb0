import { fault } from '../../base/faults.ts'
import type { StreamSource } from '../../sql/query/compile/source.ts'

/** A fault `invalid` for an entity stream, where the events of a stream are asked for: it has none. */
export function refuseEntities({ schema, stream }: Pick<StreamSource, 'schema' | 'stream'>): void {
  if (stream.kind !== 'entity') return
  throw fault('invalid', `${schema.name}.${stream.name} is an entity stream: it holds aggregates, and no events`)
}
