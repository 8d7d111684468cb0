import { useRef, useState } from 'preact/hooks'
import { ErrorBoundary, LocationProvider, Route, Router } from 'preact-iso'
import { asksForKey, session } from '../api/session.ts'
import { Empty } from '../parts/empty.tsx'
import { Banner } from './banner.tsx'
import { Navigation } from './navigation.tsx'
import { pages } from './pages.ts'
import { SignIn } from './sign-in.tsx'

/** Links to these stay within the page; others, such as /docs, leave it. */
const scope = /^\/(?:console(?:[/?#]|$)|[?#]|$)/

export function Frame() {
  const main = useRef<HTMLElement>(null)
  const [fault, setFault] = useState<string>()
  return (
    <LocationProvider scope={scope}>
      <a href="#main" class="button skip">
        To the page
      </a>
      <div class="frame">
        <Navigation />
        <div class="content">
          <Banner />
          <main id="main" tabIndex={-1} ref={main}>
            {fault !== undefined && <Broken fault={fault} />}
            {session.value && fault === undefined && !hasKey() && <NoKey />}
            {session.value && fault === undefined && hasKey() && (
              <ErrorBoundary onError={(error) => setFault(error.message)}>
                <Router onRouteChange={() => main.current?.focus({ preventScroll: true })}>
                  {pages.map(({ path, component }) => (
                    <Route key={path} path={path === '/' ? path : `${path}/*`} component={component} />
                  ))}
                  {pages.map(({ path, component }) => (
                    <Route key={path} path={path === '/' ? '/console' : path} component={component} />
                  ))}
                  <Route default component={NoPage} />
                </Router>
              </ErrorBoundary>
            )}
          </main>
        </div>
      </div>
      <SignIn />
    </LocationProvider>
  )
}

const hasKey = (): boolean => session.value?.keys !== 'required' || session.value.id !== null

/** Also once the dialog has been left. */
const NoKey = () => (
  <Empty title="This service answers to keys alone" icon="keys">
    <p>
      A key comes from those who run the service: <code>npm run key</code> makes one, and so does the page of Keys for a
      key with the scope admin.
    </p>
    <button
      type="button"
      class="button main"
      onClick={() => {
        asksForKey.value = false
        setTimeout(() => {
          asksForKey.value = true
        })
      }}
    >
      Sign in
    </button>
  </Empty>
)

const NoPage = () => (
  <Empty title="There is no such page">
    <a href="/">Go home</a>
  </Empty>
)

/** A fault of the page itself, or a part of it that could not be loaded: after an update of the service, say. */
const Broken = ({ fault }: { readonly fault: string }) => (
  <Empty title="This page has a fault" icon="warning">
    <p>{fault}</p>
    <button type="button" class="button" onClick={() => location.reload()}>
      Load it anew
    </button>
  </Empty>
)
