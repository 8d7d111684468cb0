/** Pointers on a canvas: a drag of a node moves it, any other drag the picture; two fingers and the wheel zoom. */
import type { PlacedNode } from './layout.ts'
import type { View } from './paint.ts'

export type Pointed = {
  nodeAt(x: number, y: number): PlacedNode | undefined
  /** The place of a point of the canvas in the picture. */
  placeOf(x: number, y: number): { readonly x: number; readonly y: number }
  view(): View
  setView(view: View): void
  onHover(node: PlacedNode | undefined): void
  onClick(node: PlacedNode | undefined): void
  onMove(node: PlacedNode, place: { readonly x: number; readonly y: number } | undefined): void
}

const [smallest, largest] = [0.08, 6]
/** A pointer that moves by less has clicked. */
const steady_px = 4

/** The view after a zoom around a point of the canvas, measured from its middle. */
export function zoomed(view: View, factor: number, at: { readonly x: number; readonly y: number }): View {
  const scale = Math.min(largest, Math.max(smallest, view.scale * factor))
  const by = scale / view.scale
  return { scale, x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by }
}

export function listen(canvas: HTMLCanvasElement, pointed: Pointed): () => void {
  const gone = new AbortController()
  const { signal } = gone
  const pointers = new Map<number, { x: number; y: number }>()
  let held: PlacedNode | undefined
  let moved = 0

  const placeIn = ({ clientX, clientY }: MouseEvent) => {
    const { left, top } = canvas.getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }
  const fromMiddle = ({ x, y }: { readonly x: number; readonly y: number }) => ({
    x: x - canvas.clientWidth / 2,
    y: y - canvas.clientHeight / 2,
  })

  canvas.addEventListener(
    'pointerdown',
    (event) => {
      const at = placeIn(event)
      canvas.setPointerCapture(event.pointerId)
      pointers.set(event.pointerId, at)
      if (pointers.size > 1) return
      moved = 0
      held = pointed.nodeAt(at.x, at.y)
    },
    { signal },
  )
  canvas.addEventListener(
    'pointermove',
    (event) => {
      const at = placeIn(event)
      const before = pointers.get(event.pointerId)
      if (!before) {
        pointed.onHover(pointed.nodeAt(at.x, at.y))
        return
      }
      if (pointers.size === 2) pinch(event.pointerId, before, at)
      else {
        moved += Math.hypot(at.x - before.x, at.y - before.y)
        if (held) {
          if (moved > steady_px) pointed.onMove(held, pointed.placeOf(at.x, at.y))
        } else {
          const view = pointed.view()
          pointed.setView({ ...view, x: view.x + at.x - before.x, y: view.y + at.y - before.y })
        }
      }
      pointers.set(event.pointerId, at)
    },
    { signal },
  )

  function pinch(id: number, before: { x: number; y: number }, at: { x: number; y: number }): void {
    const other = [...pointers].find(([each]) => each !== id)?.[1]
    if (!other) return
    moved += steady_px + 1
    const factor =
      Math.hypot(at.x - other.x, at.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y))
    pointed.setView(zoomed(pointed.view(), factor, fromMiddle({ x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 })))
  }

  const release = (event: PointerEvent): void => {
    if (!pointers.delete(event.pointerId)) return
    if (held && moved > steady_px) pointed.onMove(held, undefined)
    if (moved <= steady_px && event.type === 'pointerup') pointed.onClick(held)
    held = undefined
  }
  canvas.addEventListener('pointerup', release, { signal })
  canvas.addEventListener('pointercancel', release, { signal })
  canvas.addEventListener('pointerleave', () => pointed.onHover(undefined), { signal })
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 18 : event.deltaY
      pointed.setView(zoomed(pointed.view(), Math.exp(-pixels * 0.0016), fromMiddle(placeIn(event))))
    },
    { signal, passive: false },
  )
  return () => gone.abort()
}
