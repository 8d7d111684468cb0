import { useEffect, useRef, useState } from 'preact/hooks'
import { onThemeChange } from '../chart-colors.ts'
import { Icon } from '../icon.tsx'
import { type Drawing, labelsOf } from './drawing.ts'
import { createLayout, type Layout, type PlacedNode } from './layout.ts'
import { type Colours, paint, type View } from './paint.ts'
import { listen, zoomed } from './pointing.ts'

export type ForceGraphProps = {
  readonly label: string
  readonly drawing: Drawing
  /** The id of a node. */
  readonly selected: string | undefined
  readonly onSelect: (id: string | undefined) => void
}

const numColours = 8
const initial: View = { x: 0, y: 0, scale: 1 }
/** A finger or a pointer need not meet a small node exactly. */
const reach_px = 8

/** A graph that forces arrange: its nodes can be dragged and clicked, the picture moved and zoomed, by keys as well. */
export function ForceGraph({ label, drawing, selected, onSelect }: ForceGraphProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const graph = useRef<ReturnType<typeof createGraph>>(undefined)
  const [hovered, setHovered] = useState<PlacedNode>()
  const select = useRef(onSelect)
  select.current = onSelect

  useEffect(() => {
    if (!canvas.current) return
    const made = createGraph(canvas.current, { onSelect: (id) => select.current(id), onHover: setHovered })
    graph.current = made
    return () => made.destroy()
  }, [])
  useEffect(() => graph.current?.show(drawing), [drawing])
  useEffect(() => graph.current?.select(selected), [selected])

  const labels = labelsOf(drawing)
  return (
    <div class="force-graph">
      <div
        class="force-graph-keys"
        role="application"
        aria-label={`${label}: ${drawing.nodes.length} nodes, ${drawing.links.length} relations. Arrow keys move the picture, plus and minus zoom it, 0 fits it in; the table beside it lists the same.`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes keys
        tabIndex={0}
        onKeyDown={(event) => {
          if (graph.current?.press(event.key)) event.preventDefault()
        }}
      >
        <canvas ref={canvas} />
      </div>
      <ul class="force-graph-labels" aria-label="Labels">
        {labels.slice(0, numColours).map(([name, count], index) => (
          <li key={name}>
            <span class={`chart-key series-${index + 1}`} aria-hidden="true" />
            {name === '' ? '(no label)' : name}
            <span class="soft">{count}</span>
          </li>
        ))}
        {labels.length > numColours && <li class="soft">{labels.length - numColours} more labels</li>}
      </ul>
      <div class="force-graph-zoom">
        <button type="button" class="button small" aria-label="Zoom in" onClick={() => graph.current?.press('+')}>
          <Icon name="plus" />
        </button>
        <button type="button" class="button small" aria-label="Zoom out" onClick={() => graph.current?.press('-')}>
          <span aria-hidden="true">−</span>
        </button>
        <button type="button" class="button small" onClick={() => graph.current?.press('0')}>
          Fit
        </button>
      </div>
      {hovered && (
        <p class="force-graph-hover">
          <span class="soft">{hovered.label}</span> {hovered.name}
        </p>
      )}
    </div>
  )
}

type GraphEvents = {
  readonly onSelect: (id: string | undefined) => void
  readonly onHover: (node: PlacedNode | undefined) => void
}

function createGraph(canvas: HTMLCanvasElement, { onSelect, onHover }: GraphEvents) {
  const context = canvas.getContext('2d')
  let layout: Layout | undefined
  let drawing: Drawing | undefined
  let view = initial
  let selected: string | undefined
  let hovered: string | undefined
  let colours = coloursOf(canvas)
  let places = new Map<string, number>()
  let frame = 0
  let moving = false
  /** The picture follows its nodes until a hand moves it. */
  let isFitted = true

  function draw(): void {
    frame = 0
    if (!context || !layout || !drawing) return
    const goesOn = layout.step() || moving
    if (isFitted) view = fitting(layout, canvas)
    const ratio = window.devicePixelRatio || 1
    const [width, height] = [canvas.clientWidth, canvas.clientHeight]
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio)
      canvas.height = Math.round(height * ratio)
    }
    paint(context, { layout, drawing, view, colours, colourOf, selected, hovered, width, height }, ratio)
    if (goesOn) redraw()
  }

  const redraw = (): void => {
    if (frame === 0) frame = requestAnimationFrame(draw)
  }
  const colourOf = ({ label }: PlacedNode): string =>
    colours.series[(places.get(label) ?? 7) % numColours] ?? colours.soft
  const placeOf = (x: number, y: number) => ({
    x: (x - canvas.clientWidth / 2 - view.x) / view.scale,
    y: (y - canvas.clientHeight / 2 - view.y) / view.scale,
  })
  const setView = (wanted: View): void => {
    view = wanted
    isFitted = false
    redraw()
  }

  function nodeAt(x: number, y: number): PlacedNode | undefined {
    const at = placeOf(x, y)
    let best: PlacedNode | undefined
    let nearest = Number.POSITIVE_INFINITY
    for (const node of layout?.nodes ?? []) {
      const distance = Math.hypot(node.x - at.x, node.y - at.y) - node.radius
      if (distance < reach_px / view.scale && distance < nearest) {
        best = node
        nearest = distance
      }
    }
    return best
  }

  const unlisten = listen(canvas, {
    nodeAt,
    placeOf,
    view: () => view,
    setView,
    onHover(node) {
      canvas.style.cursor = node ? 'pointer' : 'grab'
      if (node?.id === hovered) return
      hovered = node?.id
      onHover(node)
      redraw()
    },
    onClick: (node) => onSelect(node?.id),
    onMove(node, place) {
      isFitted = false
      moving = place !== undefined
      // A node stays where it was put.
      if (place) {
        node.fx = place.x
        node.fy = place.y
      }
      layout?.warm()
      redraw()
    },
  })
  const unthemed = onThemeChange(() => {
    colours = coloursOf(canvas)
    redraw()
  })
  const resized = new ResizeObserver(redraw)
  resized.observe(canvas)

  const step_px = 60
  const moves: Readonly<Record<string, (now: View) => View>> = {
    ArrowLeft: (now) => ({ ...now, x: now.x + step_px }),
    ArrowRight: (now) => ({ ...now, x: now.x - step_px }),
    ArrowUp: (now) => ({ ...now, y: now.y + step_px }),
    ArrowDown: (now) => ({ ...now, y: now.y - step_px }),
    '+': (now) => zoomed(now, 1.3, { x: 0, y: 0 }),
    '=': (now) => zoomed(now, 1.3, { x: 0, y: 0 }),
    '-': (now) => zoomed(now, 1 / 1.3, { x: 0, y: 0 }),
  }

  return {
    show(wanted: Drawing): void {
      // A drawing that grows from the one before keeps its view.
      const isOther = !drawing || !wanted.nodes.some(({ id }) => layout?.nodes.some((node) => node.id === id))
      layout = createLayout(wanted, layout)
      drawing = wanted
      places = new Map(labelsOf(wanted).map(([label], index) => [label, index]))
      if (isOther) isFitted = true
      redraw()
    },
    select(id: string | undefined): void {
      selected = id
      redraw()
    },
    /** A key; false for one that means nothing here. */
    press(key: string): boolean {
      if (key === '0') {
        isFitted = true
        redraw()
        return true
      }
      const move = moves[key]
      if (move) setView(move(view))
      return move !== undefined
    },
    destroy(): void {
      cancelAnimationFrame(frame)
      unlisten()
      unthemed()
      resized.disconnect()
    },
  }
}

/** The view in which all nodes are to be seen. */
function fitting({ nodes }: Layout, { clientWidth, clientHeight }: HTMLCanvasElement): View {
  if (nodes.length === 0) return initial
  const [left, right] = [Math.min(...nodes.map(({ x }) => x)), Math.max(...nodes.map(({ x }) => x))]
  const [top, bottom] = [Math.min(...nodes.map(({ y }) => y)), Math.max(...nodes.map(({ y }) => y))]
  const margin = 56
  const scale = Math.min(
    1.35,
    (clientWidth - margin * 2) / Math.max(1, right - left),
    (clientHeight - margin * 2) / Math.max(1, bottom - top),
  )
  const kept = Math.max(0.08, scale)
  return { scale: kept, x: (-(left + right) / 2) * kept, y: (-(top + bottom) / 2) * kept }
}

function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element)
  const property = (name: string): string => style.getPropertyValue(name).trim()
  return {
    surface: property('--surface'),
    text: property('--text'),
    soft: property('--text-soft'),
    line: property('--line-strong'),
    accent: property('--accent'),
    series: Array.from({ length: numColours }, (_, index) => property(`--series-${index + 1}`)),
  }
}
