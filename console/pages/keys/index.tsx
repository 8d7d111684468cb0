import { Empty } from '../../parts/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'

export default function Keys() {
  return (
    <>
      <PageHead title="Keys" />
      <Empty title="Nothing here yet" />
    </>
  )
}
