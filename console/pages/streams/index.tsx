import { Empty } from '../../parts/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'

export default function Streams() {
  return (
    <>
      <PageHead title="Streams" />
      <Empty title="Nothing here yet" />
    </>
  )
}
