import type { Related } from './related.ts'

/** The relations at each node, in both directions; one from a node to itself counts twice. */
export function degrees({ nodes, from, to, count }: Related): Float64Array {
  const degree = new Float64Array(nodes.length)
  for (const [index, relations] of count.entries()) {
    for (const node of [from[index] ?? 0, to[index] ?? 0]) degree[node] = (degree[node] ?? 0) + relations
  }
  return degree
}
