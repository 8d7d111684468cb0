import type { ComponentChildren } from 'preact'

type PictureProps = { readonly title: string; readonly says: string; readonly children: ComponentChildren }

/** A picture of figures, with what it shows in words. */
export const Picture = ({ title, says, children }: PictureProps) => (
  <section class="card picture-card">
    <header>
      <h2>{title}</h2>
      <p class="small soft">{says}</p>
    </header>
    <div class="inside">{children}</div>
  </section>
)
