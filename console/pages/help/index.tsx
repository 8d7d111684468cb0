import { type Piece, pages } from 'weir:help'
import { type ComponentChild, h } from 'preact'
import { useEffect } from 'preact/hooks'
import { useAnswer } from '../../api/use-answer.ts'
import { Crumbs } from '../../parts/crumbs.tsx'
import { Empty } from '../../parts/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Scrolls } from '../../parts/scrolls.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'

/** The documentation, which comes with the service: it needs no network. */
export default function Help({ rest = '' }: { readonly rest?: string }) {
  const [name = ''] = rest.split('/').filter((part) => part !== '')
  if (name === '') return <List />
  return <Document key={name} name={name} />
}

const ordered = Object.entries(pages).sort(([, a], [, b]) => a.title.localeCompare(b.title))

const List = () => (
  <>
    <PageHead title="Help" says="The documentation of this version, which comes with the service." />
    <div class="card inside">
      <ul class="help-list">
        {ordered.map(([name, { title }]) => (
          <li key={name}>
            <a href={`/console/help/${name}`}>{title}</a>
          </li>
        ))}
      </ul>
    </div>
  </>
)

function Document({ name }: { readonly name: string }) {
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined
  const { value } = useAnswer(async () => (await page?.load())?.default, [name])
  useEffect(() => {
    if (value && location.hash !== '')
      document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView()
  }, [value])
  if (!page)
    return (
      <Empty title="There is no such page">
        <a href="/console/help">All pages</a>
      </Empty>
    )
  return (
    <>
      <Crumbs steps={[['Help', '/console/help']]} />
      {value ? <article class="help">{value.map(drawn)}</article> : <Skeleton lines={12} />}
    </>
  )
}

function drawn(piece: Piece, place: number): ComponentChild {
  if (typeof piece === 'string') return piece
  const [tag, properties, ...children] = piece
  const made = h(tag, properties ?? {}, ...children.map(drawn))
  // A wide table scrolls by itself.
  return tag === 'table' ? <Scrolls label={`Table, part ${place + 1} of the page`}>{made}</Scrolls> : made
}
