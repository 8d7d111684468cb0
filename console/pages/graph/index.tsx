import { Empty } from '../../parts/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'

export default function Graph() {
  return (
    <>
      <PageHead title="Graph" />
      <Empty title="Nothing here yet" />
    </>
  )
}
