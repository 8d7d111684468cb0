import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'

export type PageHeadProps = {
  readonly title: string
  /** One sentence below the title. */
  readonly says?: ComponentChildren
  /** Buttons beside the title. */
  readonly children?: ComponentChildren
}

/** The title of a page, also in the browser's tab. */
export function PageHead({ title, says, children }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · Weir`
  }, [title])
  return (
    <div class="page-head">
      <h1>{title}</h1>
      {children !== undefined && <div class="row">{children}</div>}
      {says !== undefined && <p class="soft">{says}</p>}
    </div>
  )
}
