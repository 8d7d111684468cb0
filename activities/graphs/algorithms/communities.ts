import graphology from 'graphology'
import louvain, { type LouvainOptions } from 'graphology-communities-louvain'
import { createRandom } from '../../../learn/random.ts'
import { numberGroups } from './groups.ts'
import type { Related } from './related.ts'

type Louvain = { detailed(graph: object, options: LouvainOptions): { communities: object; modularity: number } }

// CommonJS, whose types speak of an ES module: the import is the function itself.
const { detailed } = louvain as unknown as Louvain

/**
 * Communities by the method of Louvain (Blondel et al., 2008), over the relations between two nodes whatever their
 * direction. It visits nodes by chance: the same graph and seed give the same communities.
 */
export function communities(related: Related, seed: number) {
  const { nodes, from, to, count } = related
  const graph = new graphology.UndirectedGraph()
  for (const node of nodes.keys()) graph.addNode(node)
  for (const [index, subject] of from.entries()) {
    const object = to[index] ?? 0
    if (subject === object) continue
    graph.updateEdge(subject, object, ({ weight = 0 }) => ({ weight: weight + (count[index] ?? 0) }))
  }
  if (graph.size === 0) return { ...numberGroups([...nodes.keys()]), modularity: 0 }
  const { communities: found, modularity } = detailed(graph, {
    getEdgeWeight: 'weight',
    rng: createRandom(seed).uniform,
  })
  const named = new Map(Object.entries(found))
  return {
    ...numberGroups(nodes.map((_, node) => Number(named.get(String(node))))),
    modularity,
  }
}
