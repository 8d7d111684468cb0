import { schemaGraph } from '../../sql/schema/names.ts'
import type { Registry } from '../schemas/registry.ts'

/** The parts of the log whose events bring triples into a graph: every stream of its schema may. */
export function graphQueues(registry: Pick<Registry, 'all'>, graph: string): string[] {
  const found = [...registry.all()].find(({ schema }) => schemaGraph(schema.name) === graph)
  return [...new Set([...(found?.streams.values() ?? [])].flatMap(({ queues }) => queues))]
}
