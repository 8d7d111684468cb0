import { Empty } from '../../parts/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'

export default function Objects() {
  return (
    <>
      <PageHead title="Objects" />
      <Empty title="Nothing here yet" />
    </>
  )
}
