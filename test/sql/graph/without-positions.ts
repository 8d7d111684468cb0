import type { GraphQuery } from '../../../sql/graph/index.ts'

/** The same query written elsewhere in a text is the same query. */
export function withoutPositions(query: GraphQuery): unknown {
  return JSON.parse(JSON.stringify(query, (name, value) => (name === 'at' ? undefined : value)))
}
