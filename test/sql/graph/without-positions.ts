import type { GraphStatement } from '../../../sql/graph/index.ts'

/** The same query written elsewhere in a text is the same query. */
export function withoutPositions(statement: GraphStatement): unknown {
  return JSON.parse(JSON.stringify(statement, (name, value) => (name === 'at' ? undefined : value)))
}
