import { call } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'

export default function Home() {
  const { value, refusal } = useAnswer((signal) => call('GET /', { signal }), [])
  return (
    <>
      <PageHead title="Home" />
      <RefusalBox refusal={refusal} />
      {value && 'version' in value && <p class="soft">Weir {value.version}</p>}
    </>
  )
}
