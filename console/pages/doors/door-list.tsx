import { PageHead } from '../../parts/page-head.tsx'
import { HookList } from './hook-list.tsx'
import { ImportList } from './import-list.tsx'
import { SourceList } from './source-list.tsx'

/** The ways by which events of others come in. */
export const DoorList = () => (
  <>
    <PageHead
      title="Doors in"
      says="Events of other people's programs: signed webhooks, files of a bucket, topics of their Kafka."
    />
    <div class="stack">
      <HookList />
      <ImportList />
      <SourceList />
    </div>
  </>
)
