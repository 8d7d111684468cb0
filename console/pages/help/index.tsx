import { Crumbs } from '../../parts/crumbs.tsx'
import { HelpArticle, helpPages } from '../../parts/documentation.tsx'
import { PageHead } from '../../parts/page-head.tsx'

/** The documentation, which comes with the service: it needs no network. */
export default function Help({ rest = '' }: { readonly rest?: string }) {
  const [name = ''] = rest.split('/').filter((part) => part !== '')
  if (name === '') return <List />
  return (
    <>
      <Crumbs steps={[['Help', '/console/help']]} />
      <HelpArticle key={name} name={name} place={decodeURIComponent(location.hash.slice(1))} />
    </>
  )
}

const List = () => (
  <>
    <PageHead title="Help" says="The documentation of this version, which comes with the service." />
    <div class="card inside">
      <ul class="help-list">
        {helpPages.map(([name, { title }]) => (
          <li key={name}>
            <a href={`/console/help/${name}`}>{title}</a>
          </li>
        ))}
      </ul>
    </div>
  </>
)
