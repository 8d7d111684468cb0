import { partsOf } from '../../parts/paths.ts'
import { NotificationList } from './notification-list.tsx'
import { NotificationPage } from './notification-page.tsx'

/** `/console/notifications`, `/console/notifications/<notifid>`. */
export default function Notifications({ rest = '' }: { readonly rest?: string }) {
  const [id] = partsOf(rest)
  return id === undefined ? <NotificationList /> : <NotificationPage key={id} id={id} />
}
