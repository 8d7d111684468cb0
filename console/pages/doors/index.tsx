import { partsOf } from '../../parts/paths.ts'
import { DoorList } from './door-list.tsx'
import { HookPage } from './hook-page.tsx'
import { ImportPage } from './import-page.tsx'

/** `/console/doors`, `/console/doors/hooks/<name>`, `/console/doors/imports/<id>`. */
export default function Doors({ rest = '' }: { readonly rest?: string }) {
  const [kind, name] = partsOf(rest)
  if (kind === 'hooks' && name !== undefined) return <HookPage key={name} name={name} />
  if (kind === 'imports' && name !== undefined) return <ImportPage key={name} id={name} />
  return <DoorList />
}
