import { numberGroups } from './groups.ts'
import type { Related } from './related.ts'

/** Nodes that relations connect, in whatever direction, by union and find (Tarjan, 1975, with path halving). */
export function components({ nodes, from, to }: Related) {
  const parent = Uint32Array.from(nodes, (_, node) => node)
  const rootOf = (node: number): number => {
    let at = node
    for (let above = parent[at] ?? at; above !== at; above = parent[at] ?? at) {
      parent[at] = parent[above] ?? above
      at = parent[at] ?? at
    }
    return at
  }
  for (const [index, subject] of from.entries()) {
    const [one, other] = [rootOf(subject), rootOf(to[index] ?? 0)]
    if (one !== other) parent[Math.max(one, other)] = Math.min(one, other)
  }
  return numberGroups(parent.map((_, node) => rootOf(node)))
}
