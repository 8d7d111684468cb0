import { partsOf } from '../../parts/paths.ts'
import { DoorList } from './door-list.tsx'
import { HookPage } from './hook-page.tsx'
import { ImportPage } from './import-page.tsx'
import { SourcePage } from './source-page.tsx'

/** `/console/doors`, `/console/doors/hooks/<name>`, `/console/doors/imports/<id>`, `/console/doors/sources/<name>`. */
export default function Doors({ rest = '' }: { readonly rest?: string }) {
  const [kind, name] = partsOf(rest)
  if (kind === 'hooks' && name !== undefined) return <HookPage key={name} name={name} />
  if (kind === 'imports' && name !== undefined) return <ImportPage key={name} id={name} />
  if (kind === 'sources' && name !== undefined) return <SourcePage key={name} name={name} />
  return <DoorList />
}
