import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core'
import type { RefObject } from 'preact'
import { useLayoutEffect, useReducer, useState } from 'preact/hooks'

type VirtualRowsOptions = {
  readonly container: RefObject<HTMLElement | null>
  readonly count: number
  readonly height: number
  /** The height of what stands above the rows and stays in view. */
  readonly above: number
}

/** The rows of a long list that are in view, and where each stands. All have one height, in pixels. */
export function useVirtualRows({ container, count, height, above }: VirtualRowsOptions) {
  const [, render] = useReducer((turn: number) => turn + 1, 0)
  const options = {
    count,
    getScrollElement: () => container.current,
    estimateSize: () => height,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    scrollPaddingStart: above,
    overscan: 12,
    initialRect: { width: 0, height: 600 },
    onChange: () => render(undefined),
  }
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options))
  virtualizer.setOptions(options)
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer])
  useLayoutEffect(() => virtualizer._willUpdate())
  return virtualizer
}
