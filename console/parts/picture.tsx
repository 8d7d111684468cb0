// biome-ignore-all lint/a11y/useSemanticElements: SVG has no such elements
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the picture takes the keys of all its nodes
// biome-ignore-all lint/a11y/noStaticElementInteractions: what is dragged is the picture
// biome-ignore-all lint/a11y/noAriaHiddenOnFocusable: edges take no focus
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import {
  type Direction,
  layOut,
  nodeTowards,
  type PictureEdge,
  type PictureNode,
  type PlacedNode,
  pathThrough,
} from './picture-layout.ts'

type PictureProps = {
  readonly label: string
  readonly nodes: readonly PictureNode[]
  readonly edges: readonly PictureEdge[]
  /** A click or Enter opens a node. */
  readonly onOpen: (node: PictureNode) => void
  /** By a click on how many nodes are hidden, or by the key +. */
  readonly onUnfold?: (node: PictureNode) => void
  /** It is brought into view. */
  readonly chosen?: string | undefined
}

type View = { readonly x: number; readonly y: number; readonly scale: number }
type Size = { readonly width: number; readonly height: number }

const [minScale, maxScale] = [0.08, 2.5]
/** Smaller, the texts of nodes are no texts. */
const readableScale = 0.62
const margin = 24

const directions: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

/** Nodes and what joins them: moved by dragging, made larger with Ctrl and the wheel, walked through by the arrow keys. */
export function Picture({ label, nodes, edges, onOpen, onUnfold, chosen }: PictureProps) {
  const id = useId()
  const container = useRef<HTMLDivElement>(null)
  const layout = useMemo(() => layOut(nodes, edges), [nodes, edges])
  const [size, setSize] = useState<Size>({ width: 900, height: 480 })
  const [view, setView] = useState<View>()
  const [current, setCurrent] = useState<string>()
  const pointers = useRef(new Map<number, { x: number; y: number }>())
  const isDragged = useRef(false)

  useEffect(() => {
    const element = container.current
    if (!element) return
    const resized = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }))
    resized.observe(element)
    return () => resized.disconnect()
  }, [])

  // Another picture is seen whole at first.
  useEffect(() => setView(undefined), [layout.width, layout.height, nodes.length])

  const seen = view ?? begun(layout, size)
  const last = useRef<string>(undefined)
  if (current !== undefined) last.current = current
  // The stop for Tab: where the reader was before.
  const at = [last.current, chosen].find((each) => nodes.some(({ id }) => id === each)) ?? nodes[0]?.id
  const placedOf = (name: string | undefined) => layout.nodes.find((node) => node.id === name)

  const zoom = (factor: number, x = size.width / 2, y = size.height / 2) => {
    const scale = Math.min(maxScale, Math.max(minScale, seen.scale * factor))
    const change = scale / seen.scale
    setView({ scale, x: x - (x - seen.x) * change, y: y - (y - seen.y) * change })
  }

  const bringIntoView = (node: PlacedNode, scale = seen.scale) => {
    const [x, y] = [node.x * scale + seen.x, node.y * scale + seen.y]
    const isIn = x > 60 && x < size.width - 60 && y > 30 && y < size.height - 30 && scale === seen.scale
    if (!isIn) setView({ scale, x: size.width / 2 - node.x * scale, y: size.height / 2 - node.y * scale })
  }

  useEffect(() => {
    const node = placedOf(chosen)
    if (node) bringIntoView(node, Math.max(seen.scale, 0.8))
  }, [chosen, layout])

  // A listener of its own, since the browser's zoom can be prevented by one alone that is not passive.
  const onWheel = useRef<(event: WheelEvent) => void>(() => {})
  onWheel.current = (event) => {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    const box = container.current?.getBoundingClientRect()
    zoom(Math.exp(-event.deltaY / 300), event.clientX - (box?.left ?? 0), event.clientY - (box?.top ?? 0))
  }
  useEffect(() => {
    const element = container.current
    const listener = (event: WheelEvent) => onWheel.current(event)
    element?.addEventListener('wheel', listener, { passive: false })
    return () => element?.removeEventListener('wheel', listener)
  }, [])

  const onPointerMove = (event: PointerEvent) => {
    const before = pointers.current.get(event.pointerId)
    if (!before) return
    const now = { x: event.clientX, y: event.clientY }
    const other = [...pointers.current].find(([pointer]) => pointer !== event.pointerId)?.[1]
    if (other) {
      const box = container.current?.getBoundingClientRect()
      const factor = distance(now, other) / Math.max(1, distance(before, other))
      zoom(factor, (now.x + other.x) / 2 - (box?.left ?? 0), (now.y + other.y) / 2 - (box?.top ?? 0))
    } else if (isDragged.current || distance(now, before) > 4) {
      if (!isDragged.current) container.current?.setPointerCapture(event.pointerId)
      isDragged.current = true
      setView({ ...seen, x: seen.x + now.x - before.x, y: seen.y + now.y - before.y })
    } else return
    pointers.current.set(event.pointerId, now)
  }

  const onPointerEnd = (event: PointerEvent) => {
    pointers.current.delete(event.pointerId)
    // The click that ends a drag comes after this.
    if (pointers.current.size === 0) setTimeout(() => (isDragged.current = false))
  }

  const focusOn = (node: PlacedNode) => {
    setCurrent(node.id)
    bringIntoView(node)
    document.getElementById(`${id}-${node.id}`)?.focus({ preventScroll: true })
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const node = placedOf(at)
    const direction = directions[event.key]
    if (direction && node) {
      const next = nodeTowards(layout.nodes, node, direction)
      if (next) focusOn(next)
    } else if ((event.key === 'Enter' || event.key === ' ') && node && isOnNode(event)) onOpen(node)
    else if (event.key === '+' && node?.numHidden && onUnfold) onUnfold(node)
    else if (event.key === '+' || event.key === '=') zoom(1.25)
    else if (event.key === '-') zoom(0.8)
    else if (event.key === '0') setView(whole(layout, size))
    else return
    event.preventDefault()
  }

  return (
    <div class="picture">
      <div
        ref={container}
        class="picture-view"
        style={{ height: `min(64vh, max(300px, ${Math.round(layout.height + 130)}px))` }}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
        }}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerEnd}
        onPointerCancel={onPointerEnd}
        onPointerLeave={(event) => !isDragged.current && onPointerEnd(event)}
        onKeyDown={onKeyDown}
      >
        <svg width="100%" height="100%" role="group" aria-label={label}>
          <defs>
            <marker
              id={`${id}-arrow`}
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto"
            >
              <path d="M0,0.5 L8,4 L0,7.5 Z" class="picture-arrow" />
            </marker>
          </defs>
          <g transform={`translate(${seen.x} ${seen.y}) scale(${seen.scale})`}>
            {layout.edges.map((edge) => (
              <g
                key={`${edge.from} ${edge.to} ${edge.kind} ${edge.label ?? ''}`}
                aria-hidden="true"
                class={`picture-edge edge-${edge.kind} ${edge.from === current || edge.to === current ? 'is-near' : ''}`}
              >
                <path d={pathThrough(edge.points)} marker-end={`url(#${id}-arrow)`}>
                  <title>{`${edge.from} → ${edge.to}${edge.label ? `: ${edge.label}` : ''}`}</title>
                </path>
                {edge.labelAt && (
                  <text x={edge.labelAt.x} y={edge.labelAt.y + 3.5} text-anchor="middle">
                    {clipped(edge.label ?? '', 22)}
                  </text>
                )}
              </g>
            ))}
            {layout.nodes.map((node) => (
              <NodeBox
                key={node.id}
                id={`${id}-${node.id}`}
                node={node}
                isCurrent={node.id === at}
                isChosen={node.id === chosen}
                onFocus={() => setCurrent(node.id)}
                onBlur={() => setCurrent(undefined)}
                onOpen={() => !isDragged.current && onOpen(node)}
                onUnfold={onUnfold && (() => !isDragged.current && onUnfold(node))}
                feeds={edges.filter(({ from }) => from === node.id).map(({ to }) => to)}
              />
            ))}
          </g>
        </svg>
      </div>
      <fieldset class="picture-tools" aria-label="View of the picture">
        <button type="button" title="Larger (+)" aria-label="Larger" onClick={() => zoom(1.25)}>
          +
        </button>
        <button type="button" title="Smaller (−)" aria-label="Smaller" onClick={() => zoom(0.8)}>
          −
        </button>
        <button type="button" title="All of it (0)" aria-label="All of it" onClick={() => setView(whole(layout, size))}>
          ⤢
        </button>
      </fieldset>
    </div>
  )
}

type NodeBoxProps = {
  readonly id: string
  readonly node: PlacedNode
  readonly isCurrent: boolean
  readonly isChosen: boolean
  readonly feeds: readonly string[]
  readonly onFocus: () => void
  readonly onBlur: () => void
  readonly onOpen: () => void
  readonly onUnfold: (() => void) | undefined
}

function NodeBox({ id, node, isCurrent, isChosen, feeds, onFocus, onBlur, onOpen, onUnfold }: NodeBoxProps) {
  const { x, y, width, height, title, detail, kind, numHidden = 0 } = node
  const characters = Math.floor((width - 30) / 7.3)
  const shown = {
    title: clipped(title, characters),
    detail: detail === undefined ? '' : clipped(detail, Math.floor((width - 24) / 6)),
    hidden: numHidden === 0 ? '' : numHidden > 99 ? '99+' : `+${numHidden}`,
  }
  // A name begins with what is seen, for readers who speak it.
  const seen = [shown.title, shown.detail, shown.hidden].filter(Boolean).join(' ')
  const full = shown.title === title ? '' : `, in full ${title}`
  const fed = feeds.length > 0 ? `, feeds ${feeds.slice(0, 6).join(', ')}` : ''
  return (
    <g
      id={id}
      role="button"
      tabIndex={isCurrent ? 0 : -1}
      aria-label={`${seen}${full}${fed}${numHidden > 0 ? `, ${numHidden} hidden behind it` : ''}`}
      class={`picture-node node-${kind} ${isChosen ? 'is-chosen' : ''}`}
      transform={`translate(${x - width / 2} ${y - height / 2})`}
      onClick={onOpen}
      onFocus={onFocus}
      onBlur={onBlur}
    >
      {full !== '' && <title>{title}</title>}
      <rect class="picture-box" width={width} height={height} rx="8" />
      <rect class="picture-stripe" x="0" y="9" width="4" height={height - 18} rx="2" />
      <text class="picture-title" x="15" y={detail === undefined ? height / 2 + 4.5 : 20}>
        {shown.title}
      </text>{' '}
      {detail !== undefined && (
        <text class="picture-detail" x="15" y="36">
          {shown.detail}
        </text>
      )}{' '}
      {numHidden > 0 && onUnfold && (
        <g
          class="picture-unfold"
          transform={`translate(${width} ${height / 2})`}
          onClick={(event) => {
            event.stopPropagation()
            onUnfold()
          }}
        >
          <circle r="13" />
          <text text-anchor="middle" y="4">
            {shown.hidden}
          </text>
        </g>
      )}
    </g>
  )
}

const isOnNode = (event: KeyboardEvent): boolean =>
  event.target instanceof Element && event.target.closest('.picture-node') !== null

const distance = (a: { x: number; y: number }, b: { x: number; y: number }): number => Math.hypot(a.x - b.x, a.y - b.y)

const clipped = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, Math.max(1, length - 1))}…` : text

/** All of it where its texts can be read so, else its beginning. */
function begun(layout: Size, size: Size): View {
  const all = whole(layout, size)
  return all.scale >= readableScale ? all : { scale: readableScale, x: margin, y: margin }
}

function whole(layout: Size, size: Size): View {
  const scale = Math.min(
    1.1,
    Math.max(
      minScale,
      Math.min(
        (size.width - margin * 2) / Math.max(1, layout.width),
        (size.height - margin * 2) / Math.max(1, layout.height),
      ),
    ),
  )
  return {
    scale,
    x: Math.max(margin, (size.width - layout.width * scale) / 2),
    y: Math.max(margin, (size.height - layout.height * scale) / 2),
  }
}
