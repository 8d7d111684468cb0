import { Empty } from '../../parts/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'

export default function Notifications() {
  return (
    <>
      <PageHead title="Notifications" />
      <Empty title="Nothing here yet" />
    </>
  )
}
