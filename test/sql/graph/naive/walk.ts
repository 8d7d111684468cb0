/** The walks of a pattern by trying every relation at every link. */
import type { Filter, GraphQuery, NodePattern } from '../../../../sql/graph/index.ts'
import { amount, compares, comparesAmount, evaluate } from './compare.ts'
import type { Graph, Node, Properties, Triple } from './graph.ts'

export type Walk = { readonly nodes: readonly Node[]; readonly triples: readonly Triple[] }

function passes(filter: Filter | undefined, get: (name: string) => unknown): boolean {
  return (filter ?? []).every((comparison) => {
    const { left } = comparison
    if (left.kind === 'property') return compares(get(left.name), comparison)
    return comparesAmount(
      evaluate(left.expression, (name) => amount(get(name))),
      comparison,
    )
  })
}

const own = (properties: Properties, name: string): unknown => properties[name]

function matches(node: Node, { label, name, filter }: NodePattern): boolean {
  if (label !== undefined && node.label !== label) return false
  if (name?.kind === 'is' && node.name !== name.text) return false
  if (name?.kind === 'starts' && !node.name.startsWith(name.text)) return false
  return passes(filter, (member) => (member === 'name' ? node.name : own(node.properties, member)))
}

export function walksOf(graph: Graph, { pattern, modifier }: GraphQuery): Walk[] {
  const { nodes, links } = pattern
  const [first] = nodes
  let walks: Walk[] = graph.nodes
    .filter((node) => first !== undefined && matches(node, first))
    .map((node) => ({ nodes: [node], triples: [] }))
  const isBack = (triple: Triple): boolean =>
    graph.triples.some(
      (other) =>
        other.relation === triple.relation && other.subject === triple.object && other.object === triple.subject,
    )
  links.forEach(({ edge, from }, index) => {
    const target = nodes[index + 1]
    walks = walks.flatMap((walk) =>
      graph.triples.flatMap((triple) => {
        const [near, far] = edge.direction === 'out' ? [triple.subject, triple.object] : [triple.object, triple.subject]
        if (near !== walk.nodes[from] || target === undefined || !matches(far, target)) return []
        if (edge.relation !== undefined && triple.relation !== edge.relation) return []
        if (!passes(edge.filter, (name) => own(triple.properties, name))) return []
        if (modifier?.kind === 'SYMM' && !isBack(triple)) return []
        if (modifier?.kind === 'ASYMM' && isBack(triple)) return []
        return [{ nodes: [...walk.nodes, far], triples: [...walk.triples, triple] }]
      }),
    )
  })
  return walks
}
