import { call } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty } from '../../parts/empty.tsx'
import { SelectField, TextField } from '../../parts/fields.tsx'
import { formatAgo } from '../../parts/format.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Table } from '../../parts/table.tsx'
import { timeText } from '../../parts/time-text.ts'
import { useInAddress } from '../../state/address.ts'
import { inZone } from '../../state/time-zone.ts'

import { DeletedThings } from './deleted.tsx'

const again_ms = 5000
const limits = ['100', '1000', '10000'].map((limit) => [limit, `the latest ${limit}`] as const)

/** The record of changes of schemas, tables, graphs, buckets, models, notifications, keys, erasures. */
export default function Changes() {
  const [limit, setLimit] = useInAddress('limit', '100')
  const [filter, setFilter] = useInAddress('filter')
  const [what, setWhat] = useInAddress('what')
  const { value, refusal, again } = useAnswer((signal) => call('GET /audit', { query: { limit }, signal }), [limit], {
    every_ms: again_ms,
  })
  const changes = value?.changes ?? []
  const kinds = [...new Set(changes.map((change) => change.what))].sort()
  const shown = changes.filter(
    (change) => (what === '' || change.what === what) && matches(filter, [change.by, change.name, change.detail]),
  )
  return (
    <>
      <PageHead
        title="Changes"
        says="Each change that was made, newest first, with the key or the address that made it."
      />
      <DeletedThings onChanged={again} />
      <RefusalBox refusal={refusal} />
      <div class="card">
        <header>
          <div class="filters">
            <TextField
              label="Filter"
              type="search"
              value={filter}
              onInput={setFilter}
              placeholder="name, key or detail"
            />
            <SelectField
              label="Kind"
              value={what}
              options={[['', 'all'], ...kinds.map((kind) => [kind, kind] as const)]}
              onInput={setWhat}
            />
            <SelectField label="From" value={limit} options={limits} onInput={setLimit} />
          </div>
        </header>
        {!value && !refusal && <Skeleton lines={6} />}
        {value && shown.length === 0 && (
          <Empty title={changes.length === 0 ? 'Nothing was changed yet' : 'No change matches'} icon="changes" />
        )}
        {shown.length > 0 && (
          <Table label="Changes" heads={[inZone('When'), 'What', 'Name', 'Detail', 'By']}>
            {shown.map(({ ts, by, what: kind, name, detail }) => (
              <tr key={`${ts} ${kind} ${name}`}>
                <td class="when">
                  <time dateTime={new Date(ts / 1000).toISOString()}>{timeText(ts, 1)}</time>
                  <div class="small faint">{formatAgo(ts)}</div>
                </td>
                <td>
                  <span class="badge">{kind}</span>
                </td>
                <td class="mono">{name}</td>
                <td>{detail}</td>
                <td class="mono soft">{by}</td>
              </tr>
            ))}
          </Table>
        )}
      </div>
    </>
  )
}

const matches = (filter: string, texts: readonly string[]): boolean => {
  const wanted = filter.trim().toLowerCase()
  return wanted === '' || texts.some((text) => text.toLowerCase().includes(wanted))
}
