import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { useMoreAtRight } from './use-more-at-right.ts'

type ScrollsProps = { readonly label: string; readonly children: ComponentChildren }

/** A part that is wider than the page scrolls by itself: also by the arrow keys, once it has the focus. */
export function Scrolls({ label, children }: ScrollsProps) {
  const container = useRef<HTMLElement>(null)
  const { hasMore, look } = useMoreAtRight(container, [])
  return (
    <section
      ref={container}
      class={hasMore ? 'scrolls has-more' : 'scrolls'}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the focus for it
      tabIndex={0}
      onScroll={look}
    >
      {children}
    </section>
  )
}
