import { Empty } from '../../parts/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'

export default function Query() {
  return (
    <>
      <PageHead title="Query" />
      <Empty title="Nothing here yet" />
    </>
  )
}
