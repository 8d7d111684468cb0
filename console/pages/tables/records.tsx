import { useState } from 'preact/hooks'
import { Refusal } from '../../api/client.ts'
import { may } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty } from '../../parts/empty.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Pager } from '../../parts/pager.tsx'
import { queryPage } from '../../parts/query-page.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Table } from '../../parts/table.tsx'
import { useChangeAddress, useInAddress } from '../../state/address.ts'
import type { TableKey } from './record.ts'
import { cellText, columnsOf, recordOf, type TableRecord } from './record.ts'
import { RecordDialog } from './record-dialog.tsx'

type RecordsProps = TableKey & { readonly tableType: number; readonly onChanged: () => void }

const pageRows = 50
const maxColumns = 8

/** The records of a table, page by page, in the order of their keys; filtered by a condition of the query language. */
export function Records({ database, table, tableType, onChanged }: RecordsProps) {
  const [where] = useInAddress('where')
  const [at] = useInAddress('at')
  const change = useChangeAddress()
  const [typed, setTyped] = useState(where)
  const [opened, setOpened] = useState<TableRecord | 'new'>()
  const sql = `select * from ${table}${where === '' ? '' : ` where ${where}`} limit ${pageRows}`
  const answer = useAnswer((signal) => queryPage({ database, sql, cursor: at, signal }), [database, sql, at])
  const page = answer.value
  const refusal = answer.refusal && ofCondition(answer.refusal)
  const records = (page?.rows ?? []).map(recordOf)
  const columns = columnsOf(records, maxColumns)
  const next = page?.next
  const changed = () => {
    answer.again()
    onChanged()
  }

  return (
    <section class="card">
      <form
        class="inside row field-row"
        onSubmit={(event) => {
          event.preventDefault()
          change({ where: typed.trim(), at: undefined }, 'push')
        }}
      >
        <div class="grow">
          <TextField
            label="Where"
            type="search"
            value={typed}
            onInput={setTyped}
            placeholder={'_pk like "a*", price > 10 and city = "Bonn"'}
            isMono
          />
        </div>
        <button type="submit" class="button">
          <Icon name="search" />
          Find
        </button>
        {may('write') && (
          <button type="button" class="button main" onClick={() => setOpened('new')}>
            <Icon name="plus" />
            Add record
          </button>
        )}
      </form>
      <RefusalBox refusal={refusal} />
      {!page && !answer.refusal && <Skeleton lines={6} />}
      {page && records.length === 0 && (
        <Empty
          title={where === '' ? (at === '' ? 'No record yet' : 'No further record') : 'No record is like that'}
          icon="tables"
        />
      )}
      {records.length > 0 && (
        <Table
          label={`Records of ${table}`}
          heads={['Key', ...(columns.length === 0 ? ['Value'] : columns)]}
          class="rows-table"
        >
          {records.map((record, place) => (
            <tr key={`${record.key}:${place}`}>
              <td>
                <button type="button" class="link mono" onClick={() => setOpened(record)}>
                  {record.key}
                </button>
              </td>
              {columns.length === 0 && <td class="mono">{cellText(record.text)}</td>}
              {columns.map((name) => (
                <td key={name} class={typeof record.members?.[name] === 'number' ? 'number' : ''}>
                  {cellText(record.members?.[name])}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      )}
      {page && (
        <Pager
          things="records"
          isFirst={at === ''}
          onFirst={() => change({ at: undefined })}
          onNext={next === undefined ? undefined : () => change({ at: next }, 'push')}
        />
      )}
      {opened !== undefined && (
        <RecordDialog
          database={database}
          table={table}
          tableType={tableType}
          record={opened === 'new' ? undefined : opened}
          onClose={() => setOpened(undefined)}
          onChanged={changed}
        />
      )}
    </section>
  )
}

/** The page writes the limit behind the condition: a condition that lacks its end does not mention it. */
const ofCondition = ({ status, reasons, body }: Refusal): Refusal =>
  new Refusal(
    status,
    reasons.map((reason) => reason.replace(/got 'limit'[^\n]*/, 'and there the condition ends')),
    body,
  )
