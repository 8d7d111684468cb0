import { Empty } from '../../parts/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'

export default function Models() {
  return (
    <>
      <PageHead title="Models" />
      <Empty title="Nothing here yet" />
    </>
  )
}
