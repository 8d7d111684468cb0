import type { ComponentChildren } from 'preact'

/** A part that is wider than the page scrolls by itself: also by the arrow keys, once it has the focus. */
export const Scrolls = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the focus for it
  <section class="scrolls" aria-label={label} tabIndex={0}>
    {children}
  </section>
)
