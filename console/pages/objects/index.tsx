import { partsOf } from '../../parts/paths.ts'
import { BucketList } from './bucket-list.tsx'
import { BucketPage } from './bucket-page.tsx'

/** `/console/objects`, `/console/objects/<bucket>`. */
export default function Objects({ rest = '' }: { readonly rest?: string }) {
  const [bucket] = partsOf(rest)
  return bucket === undefined ? <BucketList /> : <BucketPage key={bucket} bucket={bucket} />
}
