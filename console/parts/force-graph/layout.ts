/** Places of nodes by forces: relations pull, nodes push each other away. */
import { forceCenter, forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from 'd3-force'
import { type Drawing, type DrawnLink, type DrawnNode, degreesOf } from './drawing.ts'

export type PlacedNode = DrawnNode & {
  x: number
  y: number
  vx?: number
  vy?: number
  /** The place at which a hand holds the node. */
  fx?: number | null
  fy?: number | null
  readonly radius: number
  readonly degree: number
}

export type PlacedLink = DrawnLink & { readonly source: PlacedNode; readonly target: PlacedNode }

export type Layout = {
  readonly nodes: readonly PlacedNode[]
  readonly links: readonly PlacedLink[]
  /** A step of the forces; false once they are at rest. */
  step(): boolean
  /** Wakes the forces, for a node that is moved. */
  warm(): void
}

const restsBelow = 0.02

/** Nodes that an earlier layout has keep their places. */
export function createLayout(drawing: Drawing, before: Layout | undefined): Layout {
  const known = new Map(before?.nodes.map((node) => [node.id, node]))
  const degrees = degreesOf(drawing)
  const nodes = drawing.nodes.map((node, index): PlacedNode => {
    const degree = degrees.get(node.id) ?? 0
    const place = known.get(node.id) ?? placeBeside(node.id, drawing.links, known) ?? spiral(index)
    return { ...node, degree, radius: 5 + Math.min(11, Math.sqrt(degree) * 1.6), x: place.x, y: place.y }
  })
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const links = drawing.links.flatMap((link): PlacedLink[] => {
    const [source, target] = [byId.get(link.from), byId.get(link.to)]
    return source && target ? [{ ...link, source, target }] : []
  })
  const isLarge = nodes.length > 300
  const simulation = forceSimulation<PlacedNode>(nodes)
    .stop()
    .alphaDecay(isLarge ? 0.045 : 0.028)
    .force(
      'link',
      forceLink<PlacedNode, PlacedLink>(links)
        .distance(({ source, target }) => 70 + source.radius + target.radius)
        .strength(({ source, target }) => 0.7 / Math.max(1, Math.min(source.degree, target.degree))),
    )
    .force(
      'push',
      forceManyBody<PlacedNode>()
        .strength(isLarge ? -90 : -340)
        .distanceMax(600),
    )
    .force(
      'apart',
      forceCollide<PlacedNode>(({ radius }) => radius + 4),
    )
    .force('middle', forceCenter<PlacedNode>(0, 0))
    .force('x', forceX<PlacedNode>(0).strength(0.04))
    .force('y', forceY<PlacedNode>(0).strength(0.055))
  if (known.size > 0) simulation.alpha(0.5)

  return {
    nodes,
    links,
    step() {
      if (simulation.alpha() < restsBelow) return false
      simulation.tick()
      return true
    },
    warm() {
      simulation.alpha(Math.max(simulation.alpha(), 0.3))
    },
  }
}

type Place = { readonly x: number; readonly y: number }

/** Near a neighbour that has its place already. */
function placeBeside(id: string, links: readonly DrawnLink[], known: ReadonlyMap<string, Place>): Place | undefined {
  if (known.size === 0) return undefined
  const link = links.find(({ from, to }) => (from === id && known.has(to)) || (to === id && known.has(from)))
  const other = link && known.get(link.from === id ? link.to : link.from)
  const angle = (hash(id) % 360) * (Math.PI / 180)
  return other && { x: other.x + 40 * Math.cos(angle), y: other.y + 40 * Math.sin(angle) }
}

function spiral(index: number): Place {
  const angle = index * 2.399963
  const distance = 14 * Math.sqrt(index + 0.5)
  return { x: distance * Math.cos(angle), y: distance * Math.sin(angle) }
}

function hash(text: string): number {
  let value = 7
  for (const character of text) value = (value * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003
  return value
}
