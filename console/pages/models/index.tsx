import { partsOf } from '../../parts/paths.ts'
import { ModelList } from './model-list.tsx'
import { ModelPage } from './model-page.tsx'
import { NewModel } from './new-model.tsx'

/** `/console/models`, `/console/models/new`, `/console/models/<schema>/<model>`. */
export default function Models({ rest = '' }: { readonly rest?: string }) {
  const [schema = '', model = ''] = partsOf(rest)
  if (schema === 'new' && model === '') return <NewModel />
  if (model === '') return <ModelList />
  return <ModelPage key={`${schema}/${model}`} schema={schema} model={model} />
}
