import { Empty } from '../../parts/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'

export default function Changes() {
  return (
    <>
      <PageHead title="Changes" />
      <Empty title="Nothing here yet" />
    </>
  )
}
