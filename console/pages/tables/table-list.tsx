import { call } from '../../api/client.ts'
import { may } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty } from '../../parts/empty.tsx'
import { useFound } from '../../parts/find-field.tsx'
import { formatBytes, formatCount } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { pathOf } from '../../parts/paths.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Table } from '../../parts/table.tsx'
import { useInAddress } from '../../state/address.ts'
import { NewTable } from './new-table.tsx'

type Item = {
  readonly database: string
  readonly name: string
  readonly num_records: number
  readonly num_index: number
  readonly total_size: number
}

/** The tables of all databases; what the service keeps for itself apart, and once. */
async function itemsOf(signal: AbortSignal) {
  const { databases, dbname } = await call('GET /db', { signal })
  const lists = await Promise.all(
    databases.map((database) => call('GET /db/{database}/list/{flag}', { path: { database, flag: 0 }, signal })),
  )
  const all = lists.flatMap(({ database, tables }) =>
    tables.flatMap((table) => (typeof table === 'string' ? [] : [{ ...table, database }])),
  )
  return { dbname, tables: all.filter(({ issys }) => issys === 0) satisfies readonly Item[] }
}

export function TableList() {
  const [isNew, setNew] = useInAddress('new')
  const { value, refusal } = useAnswer(itemsOf, [])
  const tables = value?.tables ?? []
  const { shown, field, none } = useFound('table', tables, ({ database, name }) => `${database}.${name}`)
  const button = may('define') && (
    <button type="button" class="button main" onClick={() => setNew('1')}>
      <Icon name="plus" />
      New table
    </button>
  )
  return (
    <>
      <PageHead title="Tables" says="Records by key, visible to every query as soon as they are acknowledged.">
        {tables.length > 0 && button}
      </PageHead>
      <RefusalBox refusal={refusal} />
      {!value && !refusal && (
        <div class="card">
          <Skeleton lines={5} />
        </div>
      )}
      {value && tables.length === 0 && (
        <div class="card">
          <Empty title="No table yet" icon="tables">
            <p>A table keeps documents or values by key: prices, customers, settings.</p>
            {button}
          </Empty>
        </div>
      )}
      {tables.length > 0 && (
        <div class="card">
          {field}
          <Table
            label="Tables"
            heads={['Table', 'Database', { number: 'Records' }, { number: 'Indexes' }, { number: 'On disk' }]}
          >
            {shown.map((item) => (
              <tr key={`${item.database}.${item.name}`}>
                <td>
                  <a href={pathOf('tables', item.database, item.name)}>
                    <strong>{item.name}</strong>
                  </a>
                </td>
                <td class="soft">{item.database}</td>
                <td class="number">{formatCount(item.num_records)}</td>
                <td class="number">{item.num_index}</td>
                <td class="number soft">{formatBytes(item.total_size)}</td>
              </tr>
            ))}
          </Table>
          {none}
        </div>
      )}
      {isNew === '1' && may('define') && <NewTable database={value?.dbname ?? 'mydb'} onClose={() => setNew('')} />}
    </>
  )
}
