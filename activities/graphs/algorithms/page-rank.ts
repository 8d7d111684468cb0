import type { Related } from './related.ts'

const damping = 0.85
/** Steps end when the sum of their changes is below this. */
const tolerance = 1e-9
const maxSteps = 200

/**
 * PageRank by power iteration (Page, Brin, Motwani and Winograd, 1999): a walk follows each relation of a node alike,
 * and begins anew anywhere with probability 0.15, or where a node has no relation that goes out. The ranks sum to 1.
 */
export function pageRanks(
  { nodes, from, to, count }: Related,
  advance: (share: number) => void = () => {},
): Float64Array {
  const size = nodes.length
  const out = new Float64Array(size)
  for (const [index, relations] of count.entries()) out[from[index] ?? 0] = (out[from[index] ?? 0] ?? 0) + relations
  const share = count.map((relations, index) => (damping * relations) / (out[from[index] ?? 0] ?? 1))
  let ranks: Float64Array = new Float64Array(size).fill(1 / size)
  for (let step = 0; step < maxSteps; step++) {
    let dangling = 0
    for (let node = 0; node < size; node++) if (out[node] === 0) dangling += ranks[node] ?? 0
    const next = new Float64Array(size).fill((1 - damping + damping * dangling) / size)
    for (let index = 0; index < share.length; index++) {
      const object = to[index] ?? 0
      next[object] = (next[object] ?? 0) + (ranks[from[index] ?? 0] ?? 0) * (share[index] ?? 0)
    }
    let change = 0
    for (let node = 0; node < size; node++) change += Math.abs((next[node] ?? 0) - (ranks[node] ?? 0))
    ranks = next
    // The change falls by a steady factor a step.
    advance(Math.min(1, Math.max(step / maxSteps, Math.log(change) / Math.log(tolerance))))
    if (change < tolerance) break
  }
  return ranks
}
