import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

type VirtualRowsOptions = {
  readonly container: RefObject<HTMLElement | null>
  readonly count: number
  readonly height: number
  /** The height of what stands above the rows and stays in view. */
  readonly above: number
}

/** Rows that are there beyond those in view, above and below. */
const beyond = 12
const firstHeight = 600

/** The rows of a long list that are in view, and where each stands. All have one height, in pixels. */
export function useVirtualRows({ container, count, height, above }: VirtualRowsOptions) {
  const [[top, seen], setView] = useState<readonly [top: number, seen: number]>([0, firstHeight])

  useLayoutEffect(() => {
    const element = container.current
    if (!element) return
    // A step of the view that shows no other row draws nothing anew.
    const look = (): void =>
      setView((before) => {
        const now = [Math.floor(element.scrollTop / height) * height, element.clientHeight] as const
        return now[0] === before[0] && now[1] === before[1] ? before : now
      })
    const resized = new ResizeObserver(look)
    resized.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    look()
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [height])

  return {
    getVirtualItems() {
      const first = Math.max(0, Math.floor(top / height) - beyond)
      const last = Math.min(count, Math.ceil((top + seen) / height) + beyond)
      return Array.from({ length: Math.max(0, last - first) }, (_, at) => ({
        index: first + at,
        start: (first + at) * height,
      }))
    },
    /** Moves the view as little as it takes to have the row in it. */
    scrollToIndex(index: number): void {
      const element = container.current
      if (!element) return
      const start = index * height
      const room = element.clientHeight - above
      if (start < element.scrollTop) element.scrollTop = start
      else if (start + height > element.scrollTop + room) element.scrollTop = start + height - room
    },
  }
}
