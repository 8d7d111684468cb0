import { useState } from 'preact/hooks'
import { call } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty } from '../../parts/empty.tsx'
import { formatCount } from '../../parts/format.ts'
import { HelpLink } from '../../parts/help-link.tsx'
import { Icon } from '../../parts/icon.tsx'
import { pathOf } from '../../parts/paths.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Table } from '../../parts/table.tsx'
import { timeText } from '../../parts/time-text.ts'
import { useInAddress } from '../../state/address.ts'
import { inZone } from '../../state/time-zone.ts'
import { ImportForm } from './import-form.tsx'
import { filesText, ImportState } from './import-state.tsx'
import { mayImport } from './rights.ts'

/** All that are remembered, and all that may be under way. */
const maxImports = 300

/** The imports, the newest first; those under way are followed. */
export function ImportList() {
  const [isNew, setNew] = useInAddress('import')
  const [isUnderWay, setUnderWay] = useState(false)
  const { value, refusal } = useAnswer(
    async (signal) => {
      const found = await call('GET /import', { query: { limit: maxImports }, signal })
      setUnderWay(found.imports.some(({ state }) => state === 'running'))
      return found
    },
    [],
    { every_ms: isUnderWay ? 1000 : 5000 },
  )
  const imports = value?.imports ?? []
  const button = mayImport() && (
    <button type="button" class="button main" onClick={() => setNew('1')}>
      <Icon name="plus" />
      Import files
    </button>
  )
  return (
    <section class="card" aria-label="Files">
      <header>
        <h2>Files</h2>
        <p class="small soft grow">CSV, JSON, NDJSON and Parquet of a bucket, each row once.</p>
        {imports.length > 0 && button}
      </header>
      <RefusalBox refusal={refusal} />
      {!value && !refusal && <Skeleton lines={3} />}
      {value && imports.length === 0 && (
        <Empty title="No file was imported yet" icon="upload">
          <p>
            Put files into a bucket on the page of <a href="/console/objects">Objects</a>, then bring their rows to a
            stream. <HelpLink to="doors#files">How imports work</HelpLink>
          </p>
          {button}
        </Empty>
      )}
      {imports.length > 0 && (
        <Table
          label="Imports"
          heads={['Import', 'From', 'Into', 'State', { number: 'Rows' }, { number: 'Refused' }, inZone('Begun')]}
        >
          {imports.map((each) => (
            <tr key={each.id}>
              <th scope="row">
                <a class="import-id" href={pathOf('doors', 'imports', each.id)}>
                  {each.id}
                </a>
              </th>
              <td class="mono">{filesText(each.from)}</td>
              <td class="mono">{each.into}</td>
              <td>
                <ImportState of={each} />
              </td>
              <td class="number">{formatCount(each.accepted)}</td>
              <td class="number">{formatCount(each.rejected)}</td>
              <td class="nowrap soft">{timeText(each.begun, 1)}</td>
            </tr>
          ))}
        </Table>
      )}
      {isNew === '1' && mayImport() && <ImportForm onClose={() => setNew('')} />}
    </section>
  )
}
