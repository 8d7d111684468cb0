import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { call } from '../../api/client.ts'
import { may } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Crumbs } from '../../parts/crumbs.tsx'
import { formatBytes, formatCount } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { RemovalDialog } from '../../parts/removal-dialog.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useInAddress } from '../../state/address.ts'
import { Indexes } from './indexes.tsx'
import { keyKinds, tableKinds } from './kinds.ts'
import type { TableKey } from './record.ts'
import { Records } from './records.tsx'

const tabs = [
  ['records', 'Records'],
  ['indexes', 'Indexes'],
] as const

export function TablePage({ database, table }: TableKey) {
  const path = { database, table }
  const [chosen, choose] = useInAddress('tab')
  const [isGoing, setGoing] = useState(false)
  const { route } = useLocation()
  const settings = useAnswer(
    (signal) => call('GET /db/{database}/{table}/tableenv', { path, signal }),
    [database, table],
  )
  const item = useAnswer(
    (signal) => call('GET /db/{database}/{table}/stat/{flag}', { path: { ...path, flag: 0 }, signal }),
    [database, table],
  )
  const known = settings.value
  const tab = chosen === 'indexes' ? chosen : 'records'
  return (
    <>
      <Crumbs steps={[['Tables', '/console/tables'], [database]]} />
      <PageHead
        title={table}
        says={
          known && (
            <>
              {tableKinds[known.table_type] ?? 'Records'} by keys that are {keyKinds[known.key_type] ?? 'texts'}
              {known.allow_duplicate === 1 && ', every version of a key kept'}
              {item.value &&
                `. ${formatCount(item.value.num_records)} records, ${formatBytes(item.value.total_size)} on disk`}
              .
            </>
          )
        }
      >
        {may('define') && known && (
          <button type="button" class="button" onClick={() => setGoing(true)}>
            <Icon name="trash" />
            Remove
          </button>
        )}
      </PageHead>
      <RefusalBox refusal={settings.refusal} />
      {known && (
        <Tabs
          label="Of the table"
          tabs={tabs}
          chosen={tab}
          onChoose={(name) => choose(name === 'records' ? '' : name, 'push')}
        >
          <div class="tab-content">
            {tab === 'records' && <Records {...path} tableType={known.table_type} onChanged={item.again} />}
            {tab === 'indexes' && <Indexes {...path} settings={known} onChanged={settings.again} />}
          </div>
        </Tabs>
      )}
      {isGoing && (
        <RemovalDialog
          title={`Remove table ${table}?`}
          things="records"
          canUndo
          dryRun={async (signal) => {
            const answer = await call('DELETE /db/{database}/{table}', { path, query: { dry: 1 }, signal })
            return 'would_delete' in answer ? answer : { would_delete: [] }
          }}
          remove={async (undo) => {
            await call('DELETE /db/{database}/{table}', { path, query: { undo } })
          }}
          onClose={() => setGoing(false)}
          onGone={() => route('/console/tables')}
        />
      )}
    </>
  )
}
