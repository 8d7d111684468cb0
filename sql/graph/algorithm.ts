/** `s{PAGERANK, 10}=>(Person:*)-[KNOWS]->(Person:*)`: a modifier that scores the nodes of the walks that the pattern matches. */
import { PlacedRefusal } from '../query/placed-refusal.ts'
import type { AlgorithmKind, AlgorithmModifier, ColumnName, GraphQuery, Item, NodePattern } from './ast.ts'
import { expectColumn } from './columns.ts'

/** The columns of each algorithm's rows. */
export const algorithmColumns: Readonly<Record<AlgorithmKind, readonly string[]>> = {
  DEGREE: ['label', 'name', 'degree'],
  PAGERANK: ['label', 'name', 'pagerank'],
  COMPONENTS: ['label', 'name', 'component'],
  COMMUNITIES: ['label', 'name', 'community'],
  SIMILARITY: ['label', 'name', 'similar_label', 'similar_name', 'similarity'],
}

export function checkAlgorithm({ pattern, returning }: GraphQuery, { kind, at }: AlgorithmModifier): void {
  if (pattern.nested !== undefined) throw new PlacedRefusal(at, `${kind} takes a chain, not a nested query`)
  if (pattern.links.length === 0) throw new PlacedRefusal(at, `${kind} takes a pattern with a relation`)
  const call = pattern.links.find(({ edge }) => edge.call)
  if (call) throw new PlacedRefusal(call.edge.at, `${kind} takes relations, not paths or distances`)
  if (returning === undefined) return
  if (returning.items !== '*' || returning.exclude || returning.where) {
    throw new PlacedRefusal(
      at,
      `${kind} has rows of ${algorithmColumns[kind].join(', ')}: RETURN * with SORT and LIMIT`,
    )
  }
  if (returning.sort) expectColumn(returning.sort.column, new Map(algorithmColumns[kind].map((name) => [name, name])))
}

/**
 * The query for the nodes that an algorithm relates: rows `{sl, s, ol, o, c}` of a subject, an object and how often they are
 * related: by relations, or over a chain by walks from its first node to its last.
 */
export function relatedPairs({ kind, token, pattern }: GraphQuery): GraphQuery {
  const [first] = pattern.links
  const isTurned = pattern.links.length === 1 && first?.edge.direction === 'in'
  const [from, to] = isTurned ? [1, 0] : [0, pattern.nodes.length - 1]
  const at = { offset: 0, line: 1, column: 1 }
  const named = (name: string): { as: ColumnName } => ({ as: { name, at } })
  const member = (alias: string, name: string, as: string): Item => ({
    kind: 'member',
    member: { alias, name, at },
    ...named(as),
  })
  // No text can have these; filters speak of the others.
  const aliasAt = (place: number): string => pattern.nodes[place]?.alias ?? (place === from ? '<from>' : '<to>')
  const aliased = (node: NodePattern, place: number): NodePattern =>
    place === from || place === to ? { ...node, alias: aliasAt(place) } : node
  const [start, end] = [aliasAt(from), aliasAt(to)]
  return {
    kind,
    token,
    pattern: {
      nodes: pattern.nodes.map(aliased),
      links: pattern.links,
    },
    returning: {
      items: [
        member(start, 'label', 'sl'),
        member(start, 'name', 's'),
        member(end, 'label', 'ol'),
        member(end, 'name', 'o'),
        { kind: 'aggregate', aggregate: 'COUNT', at, ...named('c') },
      ],
    },
  }
}
