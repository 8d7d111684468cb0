/** Draws a layout on a canvas, in the colours of the theme. */
import type { Drawing } from './drawing.ts'
import { createLabelPlaces, type LabelPlaces } from './label-places.ts'
import type { Layout, PlacedLink, PlacedNode } from './layout.ts'

export type View = { readonly x: number; readonly y: number; readonly scale: number }

export type Colours = {
  readonly surface: string
  readonly text: string
  readonly soft: string
  readonly line: string
  readonly accent: string
  readonly series: readonly string[]
}

export type Scene = {
  readonly layout: Layout
  readonly drawing: Drawing
  readonly view: View
  readonly colours: Colours
  readonly colourOf: (node: PlacedNode) => string
  readonly selected: string | undefined
  readonly hovered: string | undefined
  readonly width: number
  readonly height: number
}

const readableScale = 0.75
const fewNodes = 60
const fewLinks = 90

export function paint(context: CanvasRenderingContext2D, scene: Scene, ratio: number): void {
  const { layout, view, width, height, selected, hovered } = scene
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, width, height)
  context.translate(width / 2 + view.x, height / 2 + view.y)
  context.scale(view.scale, view.scale)
  const centre = hovered ?? selected
  const near = centre === undefined ? undefined : neighbours(layout, centre)
  if (scene.drawing.around) paintAround(context, scene)
  const isNearLink = (link: PlacedLink) => near !== undefined && (link.from === centre || link.to === centre)
  const alphaOf = (isNear: boolean, faint: number) => (near === undefined || isNear ? 1 : faint)
  for (const link of layout.links) paintLink(context, scene, link, alphaOf(isNearLink(link), 0.18), isNearLink(link))
  const isNearNode = ({ id }: PlacedNode) => near?.has(id) ?? false
  for (const node of layout.nodes) paintNode(context, scene, node, alphaOf(isNearNode(node), 0.25))
  // Names of nodes first, those with the most relations before others; names of relations where there is room left.
  const places = createLabelPlaces()
  for (const { x, y, radius } of layout.nodes) places.hold({ x, y, width: radius * 2, height: radius * 2 })
  for (const node of layout.nodes.toSorted(
    (a, b) => Number(isNearNode(b)) - Number(isNearNode(a)) || b.degree - a.degree,
  ))
    paintNodeName(context, scene, places, node, alphaOf(isNearNode(node), 0.25), isNearNode(node))
  for (const link of layout.links.toSorted(
    (a, b) => Number(isNearLink(b)) - Number(isNearLink(a)) || b.count - a.count,
  ))
    paintLinkName(context, scene, places, link, alphaOf(isNearLink(link), 0.18), isNearLink(link))
  context.globalAlpha = 1
}

function neighbours({ links }: Layout, id: string): ReadonlySet<string> {
  const near = new Set([id])
  for (const { from, to } of links) {
    if (from === id) near.add(to)
    if (to === id) near.add(from)
  }
  return near
}

function paintLink(
  context: CanvasRenderingContext2D,
  scene: Scene,
  { source, target, count, isOnPath = false }: PlacedLink,
  alpha: number,
  isNear: boolean,
): void {
  const { colours, view } = scene
  context.globalAlpha = alpha
  context.strokeStyle = isOnPath ? colours.accent : isNear ? colours.soft : colours.line
  context.fillStyle = context.strokeStyle
  context.lineWidth = (isOnPath ? 3 : Math.min(4, 1 + Math.log2(count))) / Math.sqrt(view.scale)
  if (source === target) {
    context.beginPath()
    context.arc(source.x, source.y - source.radius - 7, 8, 0, 2 * Math.PI)
    context.stroke()
    return
  }
  const [dx, dy] = [target.x - source.x, target.y - source.y]
  const length = Math.hypot(dx, dy) || 1
  const [ux, uy] = [dx / length, dy / length]
  const end = { x: target.x - ux * (target.radius + 3), y: target.y - uy * (target.radius + 3) }
  context.beginPath()
  context.moveTo(source.x + ux * source.radius, source.y + uy * source.radius)
  context.lineTo(end.x, end.y)
  context.stroke()
  if (view.scale > 0.35) {
    const size = isOnPath ? 9 : 6
    context.beginPath()
    context.moveTo(end.x + ux * 2, end.y + uy * 2)
    context.lineTo(end.x - ux * size - uy * size * 0.5, end.y - uy * size + ux * size * 0.5)
    context.lineTo(end.x - ux * size + uy * size * 0.5, end.y - uy * size - ux * size * 0.5)
    context.fill()
  }
}

function paintLinkName(
  context: CanvasRenderingContext2D,
  scene: Scene,
  places: LabelPlaces,
  { source, target, rel, count, isOnPath = false }: PlacedLink,
  alpha: number,
  isNear: boolean,
): void {
  const { colours, view, layout } = scene
  const [dx, dy] = [target.x - source.x, target.y - source.y]
  const isLong = Math.hypot(dx, dy) * view.scale > 84
  if (source === target || !isLong || !(isNear || isOnPath || layout.links.length <= fewLinks)) return
  const text = count > 1 ? `${rel} × ${count}` : rel
  context.font = `${10 / view.scale}px system-ui, sans-serif`
  const towards = Math.atan2(dy, dx)
  const angle = Math.abs(towards) > Math.PI / 2 ? towards + Math.PI : towards
  const height = 12 / view.scale
  const [x, y] = [(source.x + target.x) / 2, (source.y + target.y) / 2]
  // It stands above its line.
  const middle = { x: x + (Math.sin(angle) * height) / 2, y: y - (Math.cos(angle) * height) / 2 }
  if (!places.take({ ...middle, width: context.measureText(text).width, height, angle })) return
  context.globalAlpha = alpha
  context.save()
  context.translate(x, y)
  context.rotate(angle)
  context.textAlign = 'center'
  context.textBaseline = 'bottom'
  context.fillStyle = colours.soft
  outlined(context, scene, text, 0, -2 / view.scale)
  context.restore()
}

const isEndOf = ({ drawing }: Scene, { id }: PlacedNode): boolean => drawing.ends?.includes(id) ?? false

function paintNode(context: CanvasRenderingContext2D, scene: Scene, node: PlacedNode, alpha: number): void {
  const { colours, view, selected } = scene
  context.globalAlpha = alpha
  context.beginPath()
  context.arc(node.x, node.y, node.radius, 0, 2 * Math.PI)
  context.fillStyle = scene.colourOf(node)
  context.fill()
  context.lineWidth = 1.5 / view.scale
  context.strokeStyle = colours.surface
  context.stroke()
  const isEnd = isEndOf(scene, node)
  if (node.id === selected || isEnd) {
    context.beginPath()
    context.arc(node.x, node.y, node.radius + 4, 0, 2 * Math.PI)
    context.lineWidth = 2 / view.scale
    context.strokeStyle = isEnd && node.id !== selected ? colours.accent : colours.text
    context.stroke()
  }
}

function paintNodeName(
  context: CanvasRenderingContext2D,
  scene: Scene,
  places: LabelPlaces,
  node: PlacedNode,
  alpha: number,
  isNear: boolean,
): void {
  const { colours, view, layout, selected, hovered } = scene
  const isEnd = isEndOf(scene, node)
  const isRead = layout.nodes.length <= fewNodes || node.degree * view.scale > 9 || view.scale > 1.6
  const isNamed = isNear || isEnd || node.id === hovered || (isRead && view.scale > readableScale * 0.6)
  if (!isNamed) return
  context.font = `${node.id === selected ? '600 ' : ''}${11.5 / view.scale}px system-ui, sans-serif`
  const text = node.name.length > 28 ? `${node.name.slice(0, 27)}…` : node.name
  const top = node.y + node.radius + 3 / view.scale
  const height = 13 / view.scale
  const label = { x: node.x, y: top + height / 2, width: context.measureText(text).width, height }
  // A node that a reader points at, or has asked for, is named in any case.
  if (isEnd || node.id === hovered || node.id === selected) places.hold(label)
  else if (!places.take(label)) return
  context.globalAlpha = alpha
  context.textAlign = 'center'
  context.textBaseline = 'top'
  context.fillStyle = colours.text
  outlined(context, scene, text, node.x, top)
}

/** A text that can be read above lines. */
function outlined(
  context: CanvasRenderingContext2D,
  { colours, view: { scale } }: Scene,
  text: string,
  x: number,
  y: number,
): void {
  context.lineWidth = 3 / scale
  context.lineJoin = 'round'
  context.strokeStyle = colours.surface
  context.strokeText(text, x, y)
  context.fillText(text, x, y)
}

/** A ring around the node from which distance is measured, out to its farthest neighbour. */
function paintAround(context: CanvasRenderingContext2D, scene: Scene): void {
  const { layout, drawing, colours, view } = scene
  const { around } = drawing
  const centre = layout.nodes.find(({ id }) => id === around?.id)
  if (!around || !centre) return
  const others = layout.nodes.filter((node) => node !== centre)
  const reach = Math.max(60, ...others.map(({ x, y, radius }) => Math.hypot(x - centre.x, y - centre.y) + radius + 14))
  context.beginPath()
  context.arc(centre.x, centre.y, reach, 0, 2 * Math.PI)
  context.globalAlpha = 0.07
  context.fillStyle = colours.accent
  context.fill()
  context.globalAlpha = 1
  context.setLineDash([6 / view.scale, 5 / view.scale])
  context.lineWidth = 1.5 / view.scale
  context.strokeStyle = colours.accent
  context.stroke()
  context.setLineDash([])
  context.font = `600 ${12 / view.scale}px system-ui, sans-serif`
  context.textAlign = 'center'
  context.textBaseline = 'bottom'
  context.fillStyle = colours.accent
  outlined(context, scene, around.says, centre.x, centre.y - reach - 5)
}
