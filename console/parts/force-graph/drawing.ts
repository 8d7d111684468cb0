/** A graph as it is drawn: nodes by their ids, relations between them. */

export type DrawnNode = { readonly id: string; readonly label: string; readonly name: string }
/** `count`: parallel relations of one name are one line. */
export type DrawnLink = {
  readonly from: string
  readonly to: string
  readonly rel: string
  readonly count: number
  /** On a path that was asked for. */
  readonly isOnPath?: boolean
}

export type Drawing = {
  readonly nodes: readonly DrawnNode[]
  readonly links: readonly DrawnLink[]
  /** The ends of a path that was asked for. */
  readonly ends?: readonly [from: string, to: string]
  /** Nodes around one, with what says how far. */
  readonly around?: { readonly id: string; readonly says: string }
}

export const noDrawing: Drawing = { nodes: [], links: [] }

export const idOf = (label: string, name: string): string => `${label}:${name}`

/** Links of each node, by its id. */
export function degreesOf({ links }: Pick<Drawing, 'links'>): Map<string, number> {
  const degrees = new Map<string, number>()
  for (const { from, to, count } of links) {
    degrees.set(from, (degrees.get(from) ?? 0) + count)
    if (to !== from) degrees.set(to, (degrees.get(to) ?? 0) + count)
  }
  return degrees
}

/** The labels, the most frequent first: by this order they have their colours. */
export function labelsOf({ nodes }: Pick<Drawing, 'nodes'>): readonly (readonly [label: string, count: number])[] {
  const counts = new Map<string, number>()
  for (const { label } of nodes) counts.set(label, (counts.get(label) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
}

export type Bounded = {
  readonly drawing: Drawing
  readonly numLeftOut: { readonly nodes: number; readonly links: number }
}

/** As much of a drawing as can be told apart: the nodes with the most relations, and the relations between these. */
export function bounded(drawing: Drawing, max: { readonly nodes: number; readonly links: number }): Bounded {
  const { nodes, links, ends, around } = drawing
  const isAll = nodes.length <= max.nodes && links.length <= max.links
  if (isAll) return { drawing, numLeftOut: { nodes: 0, links: 0 } }
  const degrees = degreesOf(drawing)
  const first = new Set([...(ends ?? []), ...(around ? [around.id] : []), ...onPath(links)])
  const weight = ({ id }: DrawnNode): number => (first.has(id) ? Number.POSITIVE_INFINITY : (degrees.get(id) ?? 0))
  const kept = nodes.toSorted((a, b) => weight(b) - weight(a) || 0).slice(0, max.nodes)
  const ids = new Set(kept.map(({ id }) => id))
  const between = links.filter(({ from, to }) => ids.has(from) && ids.has(to)).slice(0, max.links)
  return {
    drawing: { ...drawing, nodes: kept, links: between },
    numLeftOut: { nodes: nodes.length - kept.length, links: links.length - between.length },
  }
}

const onPath = (links: readonly DrawnLink[]): string[] =>
  links.filter(({ isOnPath }) => isOnPath).flatMap(({ from, to }) => [from, to])

/** Both, the nodes and links of the second where the first has none of the kind. */
export function joined(one: Drawing, other: Pick<Drawing, 'nodes' | 'links'>): Drawing {
  const ids = new Set(one.nodes.map(({ id }) => id))
  const keys = new Set(one.links.map(keyOf))
  return {
    ...one,
    nodes: [...one.nodes, ...other.nodes.filter(({ id }) => !ids.has(id))],
    links: [...one.links, ...other.links.filter((link) => !keys.has(keyOf(link)))],
  }
}

export const keyOf = ({ from, to, rel }: DrawnLink): string => JSON.stringify([from, rel, to])
