import { type Piece, pages } from 'weir:help'
import { type ComponentChild, h } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useAnswer } from '../api/use-answer.ts'
import { Empty } from './empty.tsx'
import { Scrolls } from './scrolls.tsx'
import { Skeleton } from './skeleton.tsx'

export const helpPages = Object.entries(pages).sort(([, a], [, b]) => a.title.localeCompare(b.title))

/** A page of the documentation, which comes with the service; `place` is the part of it that is brought into view. */
export function HelpArticle({ name, place }: { readonly name: string; readonly place: string }) {
  const article = useRef<HTMLElement>(null)
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined
  const { value } = useAnswer(async () => (await page?.load())?.default, [name])
  useEffect(() => {
    if (!value) return
    const wanted = place === '' ? undefined : document.getElementById(place)
    if (wanted) wanted.scrollIntoView()
    else article.current?.closest('dialog')?.scrollTo(0, 0)
  }, [value, place])
  if (!page)
    return (
      <Empty title="There is no such page">
        <a href="/console/help">All pages</a>
      </Empty>
    )
  if (!value) return <Skeleton lines={12} />
  return (
    <article class="help" ref={article}>
      {value.map(drawn)}
    </article>
  )
}

function drawn(piece: Piece, place: number): ComponentChild {
  if (typeof piece === 'string') return piece
  const [tag, properties, ...children] = piece
  const made = h(tag, properties ?? {}, ...children.map(drawn))
  // A wide table scrolls by itself.
  return tag === 'table' ? <Scrolls label={`Table, part ${place + 1} of the page`}>{made}</Scrolls> : made
}
