import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Refusal } from '../api/client.ts'
import { session } from '../api/session.ts'
import { signOut } from '../api/sign-in.ts'
import { Icon } from '../parts/icon.tsx'
import { store } from '../state/local-storage.ts'
import { isZone, zone, zoneName } from '../state/time-zone.ts'
import { pages } from './pages.ts'
import { theme, themes } from './theme.ts'

store('zone', zone, isZone)

export function Navigation() {
  const { path } = useLocation()
  const [isOpen, setOpen] = useState(false)
  const shown = pages.filter((page) => !('isStub' in page) && page.isShown())
  const isHere = (own: string) => (own === '/' ? path === '/' || path === '/console' : path.startsWith(own))
  return (
    <header class="top">
      <div class="bar">
        <Brand />
        <button
          type="button"
          class="button quiet"
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'close' : 'menu'} />
          <span class="visually-hidden">Menu</span>
        </button>
      </div>
      <div class={isOpen ? 'side open' : 'side'} id="navigation">
        <Brand />
        <nav aria-label="Pages">
          <ul>
            {shown.map(({ name, path: own, icon }) => (
              <li key={own}>
                <a href={own} aria-current={isHere(own) ? 'page' : undefined} onClick={() => setOpen(false)}>
                  <Icon name={icon} />
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <Foot />
      </div>
    </header>
  )
}

const Brand = () => (
  <a href="/" class="brand">
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="6" />
      <path d="M4 9c2.7-2.6 5.3-2.6 8 0s5.3 2.6 8 0M4 15c2.7-2.6 5.3-2.6 8 0s5.3 2.6 8 0" />
    </svg>
    Weir
  </a>
)

function Foot() {
  const { id, keys } = session.value ?? {}
  const next = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'system'
  return (
    <div class="foot">
      <a class="button quiet small" href="/docs">
        <Icon name="book" />
        Every call
      </a>
      <button
        type="button"
        class="button quiet small"
        onClick={() => {
          theme.value = next
        }}
      >
        <Icon name="theme" />
        Theme: {theme.value}
      </button>
      <button
        type="button"
        class="button quiet small"
        title={`Show all times in ${zoneName(zone.value === 'utc' ? 'local' : 'utc')}`}
        onClick={() => {
          zone.value = zone.value === 'utc' ? 'local' : 'utc'
        }}
      >
        <Icon name="clock" />
        Times: {zoneName()}
      </button>
      {keys === 'required' && id !== null && (
        <button type="button" class="button quiet small" onClick={() => void leave()}>
          <Icon name="leave" />
          Sign out
        </button>
      )}
      {id && <p class="small faint">key {id}</p>}
    </div>
  )
}

/** Where the service is away, the banner says so. */
async function leave(): Promise<void> {
  await signOut().catch((error: unknown) => {
    if (error instanceof Refusal) throw error
  })
}
