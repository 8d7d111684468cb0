import { Empty } from '../../parts/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'

export default function Tables() {
  return (
    <>
      <PageHead title="Tables" />
      <Empty title="Nothing here yet" />
    </>
  )
}
