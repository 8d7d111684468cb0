import dagre from '@dagrejs/dagre'

export type PictureNode = {
  readonly id: string
  readonly title: string
  /** A second line: what it is, how much it holds. */
  readonly detail?: string
  /** Names its look: `node-<kind>` is its class. */
  readonly kind: string
  readonly href?: string
  /** How many nodes behind it are not shown. */
  readonly numHidden?: number
}

export type PictureEdge = {
  readonly from: string
  readonly to: string
  readonly label?: string
  readonly kind: string
}

export type Point = { readonly x: number; readonly y: number }
export type PlacedNode = PictureNode & Point & { readonly width: number; readonly height: number }
export type PlacedEdge = PictureEdge & { readonly points: readonly Point[]; readonly labelAt?: Point }
export type Layout = {
  readonly nodes: readonly PlacedNode[]
  readonly edges: readonly PlacedEdge[]
  readonly width: number
  readonly height: number
}

const nodeHeight = 46
const [narrowest, widest] = [132, 236]
const character = 7.3
const gap = 28
/** Beyond so many edges their labels are left out: they would hide the picture. */
const maxLabels = 80

/** Places nodes and edges from left to right: each connected part by itself, the parts below each other. */
export function layOut(nodes: readonly PictureNode[], edges: readonly PictureEdge[]): Layout {
  const isLabelled = edges.length <= maxLabels
  const parts = connected(nodes, edges)
  const lone = parts.filter(({ nodes: [...of] }) => of.length === 1).flatMap((part) => part.nodes)
  const laid = parts.filter((part) => part.nodes.length > 1).map((part) => layOutPart(part, isLabelled))
  const area = laid.reduce((sum, { width, height }) => sum + (width + gap * 2) * (height + gap), 0)
  const wide = Math.max(900, Math.sqrt(area * 2), ...laid.map(({ width }) => width))

  const placed: { nodes: PlacedNode[]; edges: PlacedEdge[] } = { nodes: [], edges: [] }
  // Shelves, the tallest parts first; on a shelf columns, in which lower parts stand below each other.
  let shelf = { top: 0, height: 0 }
  let column = { left: 0, width: 0, bottom: 0 }
  for (const part of laid.toSorted((one, other) => other.height - one.height)) {
    if (column.bottom + part.height > shelf.top + shelf.height) {
      const left = column.width === 0 ? 0 : column.left + column.width + gap * 2
      const isNext = shelf.height > 0 && left + part.width > wide
      if (isNext) shelf = { top: shelf.top + shelf.height + gap, height: part.height }
      else if (shelf.height === 0) shelf = { top: 0, height: part.height }
      column = { left: isNext ? 0 : left, width: 0, bottom: shelf.top }
    }
    const { left, bottom: top } = column
    placed.nodes.push(...part.nodes.map((node) => ({ ...node, x: node.x + left, y: node.y + top })))
    placed.edges.push(...part.edges.map((edge) => movedEdge(edge, left, top)))
    column = { left, width: Math.max(column.width, part.width), bottom: top + part.height + gap }
  }
  const top = laid.length > 0 ? shelf.top + shelf.height + gap : 0
  const grid = layOutLone(lone, wide)
  placed.nodes.push(...grid.nodes.map((node) => ({ ...node, y: node.y + top })))
  return {
    ...placed,
    width: Math.max(0, ...placed.nodes.map(({ x, width }) => x + width / 2)),
    height: Math.max(0, ...placed.nodes.map(({ y, height }) => y + height / 2)),
  }
}

type GraphPart = { readonly nodes: readonly PictureNode[]; readonly edges: readonly PictureEdge[] }

/** The connected parts of a graph, in the order of their first nodes. Edges to nodes that are not there are left out. */
export function connected(nodes: readonly PictureNode[], edges: readonly PictureEdge[]): readonly GraphPart[] {
  const known = new Set(nodes.map(({ id }) => id))
  const there = edges.filter(({ from, to }) => known.has(from) && known.has(to) && from !== to)
  const neighbours = new Map<string, string[]>(nodes.map(({ id }) => [id, []]))
  for (const { from, to } of there) {
    neighbours.get(from)?.push(to)
    neighbours.get(to)?.push(from)
  }
  const partOf = new Map<string, number>()
  let count = 0
  for (const { id } of nodes) {
    if (partOf.has(id)) continue
    const waiting = [id]
    partOf.set(id, count)
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const neighbour of neighbours.get(next) ?? []) {
        if (partOf.has(neighbour)) continue
        partOf.set(neighbour, count)
        waiting.push(neighbour)
      }
    }
    count++
  }
  const parts = Array.from({ length: count }, () => ({ nodes: [] as PictureNode[], edges: [] as PictureEdge[] }))
  for (const node of nodes) parts[partOf.get(node.id) ?? 0]?.nodes.push(node)
  for (const edge of there) parts[partOf.get(edge.from) ?? 0]?.edges.push(edge)
  return parts
}

const sizeOf = ({ title, detail = '' }: PictureNode) => ({
  width: Math.min(widest, Math.max(narrowest, Math.max(title.length, detail.length * 0.85) * character + 34)),
  height: nodeHeight,
})

const labelWidth = (label: string): number => Math.min(150, label.length * 6.2 + 10)

function layOutPart({ nodes, edges }: GraphPart, isLabelled: boolean): Layout {
  const graph = new dagre.graphlib.Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'LR', nodesep: 18, ranksep: 52, edgesep: 14, marginx: 4, marginy: 4 })
  for (const node of nodes) graph.setNode(node.id, sizeOf(node))
  for (const [index, { from, to, label }] of edges.entries()) {
    const size = isLabelled && label ? { width: labelWidth(label), height: 16, labelpos: 'c' as const } : {}
    graph.setEdge(from, to, size, String(index))
  }
  dagre.layout(graph)
  const { width = 0, height = 0 } = graph.graph()
  return {
    nodes: nodes.map((node) => {
      const at = graph.node(node.id)
      return { ...node, ...sizeOf(node), x: at.x ?? 0, y: at.y ?? 0 }
    }),
    edges: edges.map((edge, index) => {
      const at = graph.edge({ v: edge.from, w: edge.to, name: String(index) })
      const labelAt =
        isLabelled && edge.label && at.x !== undefined && at.y !== undefined ? { x: at.x, y: at.y } : undefined
      const points = fromSideToSide(at.points ?? [], graph.node(edge.from), graph.node(edge.to))
      return { ...edge, points, ...(labelAt && { labelAt }) }
    }),
    width,
    height,
  }
}

type Box = { readonly x?: number; readonly y?: number; readonly width?: number }

/** An edge that goes on to the right begins and ends at the middles of the two sides. */
function fromSideToSide(points: readonly Point[], from: Box, to: Box): readonly Point[] {
  const begin = { x: (from.x ?? 0) + (from.width ?? 0) / 2, y: from.y ?? 0 }
  const end = { x: (to.x ?? 0) - (to.width ?? 0) / 2, y: to.y ?? 0 }
  return begin.x < end.x ? [begin, ...points.slice(1, -1), end] : points
}

function layOutLone(nodes: readonly PictureNode[], wide: number): Layout {
  const column = Math.max(narrowest, ...nodes.map((node) => sizeOf(node).width)) + 18
  const columns = Math.max(1, Math.floor(wide / column))
  const placed = nodes.map((node, index) => {
    const size = sizeOf(node)
    return {
      ...node,
      ...size,
      x: (index % columns) * column + size.width / 2 + 4,
      y: Math.floor(index / columns) * (nodeHeight + 18) + nodeHeight / 2 + 4,
    }
  })
  return { nodes: placed, edges: [], width: wide, height: 0 }
}

const moved = ({ x, y }: Point, left: number, top: number): Point => ({ x: x + left, y: y + top })

const movedEdge = ({ labelAt, ...edge }: PlacedEdge, left: number, top: number): PlacedEdge => ({
  ...edge,
  points: edge.points.map((point) => moved(point, left, top)),
  ...(labelAt && { labelAt: moved(labelAt, left, top) }),
})

export type Direction = 'left' | 'right' | 'up' | 'down'

/** The node that an arrow key goes to: the nearest that way, with what is straight ahead before what is beside. */
export function nodeTowards(nodes: readonly PlacedNode[], from: Point, direction: Direction): PlacedNode | undefined {
  const isAcross = direction === 'left' || direction === 'right'
  const sign = direction === 'left' || direction === 'up' ? -1 : 1
  let best: PlacedNode | undefined
  let min = Number.POSITIVE_INFINITY
  for (const node of nodes) {
    const [dx, dy] = [node.x - from.x, node.y - from.y]
    const along = sign * (isAcross ? dx : dy)
    const aside = Math.abs(isAcross ? dy : dx)
    if (along < 8) continue
    const distance = along + aside * (isAcross ? 2 : 3)
    if (distance < min) [best, min] = [node, distance]
  }
  return best
}

/** A smooth path through the points, level at each of them. */
export function pathThrough(points: readonly Point[]): string {
  const [first, ...others] = points
  if (!first) return ''
  let from = first
  const curves = others.map((to) => {
    const middle = round((from.x + to.x) / 2)
    const curve = `C${middle},${round(from.y)} ${middle},${round(to.y)} ${round(to.x)},${round(to.y)}`
    from = to
    return curve
  })
  return `M${round(first.x)},${round(first.y)} ${curves.join(' ')}`
}

const round = (value: number): number => Math.round(value * 10) / 10
