import { Refusal } from '../../../base/refusal.ts'
import { neighboursOf, type Related } from './related.ts'

/** Two nodes by number, and the Jaccard index of their neighbours: those that they share, of all that either has. */
export type Similar = { readonly node: number; readonly other: number; readonly similarity: number }

/** For each node the nodes that share a neighbour with it, the most similar first, equal ones in the order of nodes. */
export function* similarNodes(related: Related, maxSteps: number): Generator<readonly Similar[]> {
  const neighbours = neighboursOf(related)
  const steps = neighbours.reduce((sum, { length }) => sum + length * length, 0)
  if (steps > maxSteps) {
    throw new Refusal(
      `similarity compares at most ${maxSteps} pairs of a node's neighbours, and here are ${steps}; narrow it by labels or relations`,
    )
  }
  for (const [node, own] of neighbours.entries()) {
    const shared = new Map<number, number>()
    for (const neighbour of own) {
      for (const other of neighbours[neighbour] ?? []) {
        if (other !== node) shared.set(other, (shared.get(other) ?? 0) + 1)
      }
    }
    yield [...shared]
      .map(([other, both]) => ({
        node,
        other,
        similarity: both / (own.length + (neighbours[other]?.length ?? 0) - both),
      }))
      .sort((one, two) => two.similarity - one.similarity || one.other - two.other)
  }
}
