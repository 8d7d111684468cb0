import { fault } from '../../base/faults.ts'
import type { StreamSource } from '../../sql/query/compile/source.ts'

/** What takes the events of a stream finds none in one of entities: a fault `invalid`. */
export function refuseEntities({ schema, stream }: Pick<StreamSource, 'schema' | 'stream'>): void {
  if (stream.kind !== 'entity') return
  throw fault('invalid', `${schema.name}.${stream.name} is an entity stream: it holds aggregates, and no events`)
}
