/** The walks of a pattern by trying every relation at every link. */
import type { Filter, GraphQuery, NodePattern, Reference } from '../../../../sql/graph/index.ts'
import { amount, compares, comparesAmount, evaluate } from './compare.ts'
import type { Graph, Node, Properties, Triple } from './graph.ts'

export type Walk = { readonly nodes: readonly Node[]; readonly triples: readonly Triple[] }

export function memberOf({ pattern }: GraphQuery, walk: Walk, alias: string, name: string | undefined): unknown {
  const node = walk.nodes[pattern.nodes.findIndex((each) => each.alias === alias)]
  if (node) {
    if (name === undefined) return `${node.label}:${node.name}`
    return name === 'name' ? node.name : name === 'label' ? node.label : node.properties[name]
  }
  const triple = walk.triples[pattern.links.findIndex(({ edge }) => edge.alias === alias)]
  if (name === undefined) return String(triple?.seq)
  return name === 'rel' ? triple?.relation : triple?.properties[name]
}

/** `walk` is as far as the filter's node or relation, that one included. */
function passes(filter: Filter | undefined, get: (name: string) => unknown, query: GraphQuery, walk: Walk): boolean {
  const cellOf = ({ alias, name }: Reference): unknown =>
    alias === undefined ? get(name) : memberOf(query, walk, alias, name)
  const isAlias = (alias: string): boolean =>
    [...query.pattern.nodes, ...query.pattern.links.map(({ edge }) => edge)].some((each) => each.alias === alias)
  const attribute = (name: string): unknown => {
    const [alias = '', ...rest] = name.split('.')
    return rest.length > 0 && isAlias(alias) ? memberOf(query, walk, alias, rest.join('.')) : get(name)
  }
  return (filter ?? []).every((comparison) => {
    const { left } = comparison
    if (left.kind === 'property') return compares(get(left.name), comparison, cellOf)
    return comparesAmount(
      evaluate(left.expression, (name) => amount(attribute(name))),
      comparison,
      cellOf,
    )
  })
}

const own = (properties: Properties, name: string): unknown => properties[name]

function matches(node: Node, { label, name, filter }: NodePattern, query: GraphQuery, walk: Walk): boolean {
  if (label !== undefined && node.label !== label) return false
  if (name?.kind === 'is' && node.name !== name.text) return false
  if (name?.kind === 'starts' && !node.name.startsWith(name.text)) return false
  return passes(filter, (member) => (member === 'name' ? node.name : own(node.properties, member)), query, walk)
}

export function walksOf(graph: Graph, query: GraphQuery): Walk[] {
  const { pattern, modifier } = query
  const { nodes, links } = pattern
  const [first] = nodes
  let walks: Walk[] = graph.nodes
    .filter((node) => first !== undefined && matches(node, first, query, { nodes: [node], triples: [] }))
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
        const upToEdge = { nodes: walk.nodes, triples: [...walk.triples, triple] }
        const upToNode = { ...upToEdge, nodes: [...walk.nodes, far] }
        if (near !== walk.nodes[from] || target === undefined || !matches(far, target, query, upToNode)) return []
        if (edge.relation !== undefined && triple.relation !== edge.relation) return []
        if (!passes(edge.filter, (name) => own(triple.properties, name), query, upToEdge)) return []
        if (modifier?.kind === 'SYMM' && !isBack(triple)) return []
        if (modifier?.kind === 'ASYMM' && isBack(triple)) return []
        return [upToNode]
      }),
    )
  })
  return walks
}
