import { partsOf } from '../../parts/paths.ts'
import { useInAddress } from '../../state/address.ts'
import { NewQuestion } from './new-question.tsx'
import { QuestionList } from './question-list.tsx'
import { QuestionPage } from './question-page.tsx'
import { maySave } from './rights.ts'

/** `/console/saved`, `/console/saved/<name>`. */
export default function Saved({ rest = '' }: { readonly rest?: string }) {
  const [name] = partsOf(rest)
  const [isNew] = useInAddress('new')
  if (name !== undefined) return <QuestionPage key={name} name={name} />
  return isNew === '1' && maySave() ? <NewQuestion /> : <QuestionList />
}
