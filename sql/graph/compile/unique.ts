/** UNIQUE and UNIQUE_IN_CONTEXT: of the walks between the same nodes, the first. */
import { namedNodes } from '../check.ts'
import type { QueryContext } from './context.ts'
import { orderOf } from './source.ts'
import type { Walk } from './walk/walk.ts'

/** The clauses behind a SELECT over a walk. */
export function compileUnique({ query }: QueryContext, walk: Walk): string {
  const { pattern, modifier } = query
  const places =
    modifier?.kind === 'UNIQUE'
      ? [0, pattern.nodes.length - 1]
      : modifier?.kind === 'UNIQUE_IN_CONTEXT'
        ? namedNodes(query)
        : []
  if (places.length === 0) return ''
  const columns = places.map((place) => walk.node(place)).flatMap(({ label, name }) => [label.sql, name.sql])
  return ` ORDER BY ${orderOf(walk.key)} LIMIT 1 BY ${columns.join(', ')}`
}
