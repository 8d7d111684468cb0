import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

/**
 * Whether columns lie beyond the right edge of a part that scrolls: the edge then fades, so that readers do not take the
 * visible columns for all. `look` belongs to its scrolling.
 */
export function useMoreAtRight(container: RefObject<HTMLElement | null>, inputs: readonly unknown[]) {
  const [hasMore, setHasMore] = useState(false)
  const look = (): void => {
    const element = container.current
    if (element) setHasMore(element.scrollWidth - element.clientWidth - element.scrollLeft > 4)
  }
  useLayoutEffect(() => {
    look()
    const resized = new ResizeObserver(look)
    for (const element of [container.current, container.current?.firstElementChild]) {
      if (element) resized.observe(element)
    }
    return () => resized.disconnect()
  }, inputs)
  return { hasMore, look }
}
