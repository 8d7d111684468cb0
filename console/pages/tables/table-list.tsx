import { call } from '../../api/client.ts'
import { may } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty } from '../../parts/empty.tsx'
import { TextField } from '../../parts/fields.tsx'
import { formatBytes, formatCount } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Scrolls } from '../../parts/scrolls.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { useInAddress } from '../../state/address.ts'
import { NewTable } from './new-table.tsx'
import { tablePath } from './paths.ts'

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
  const [filter, setFilter] = useInAddress('q')
  const [isNew, setNew] = useInAddress('new')
  const { value, refusal } = useAnswer(itemsOf, [])
  const tables = value?.tables ?? []
  const wanted = filter.trim().toLowerCase()
  const shown = tables.filter(({ database, name }) => `${database}.${name}`.toLowerCase().includes(wanted))
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
          {tables.length > 8 && (
            <header>
              <div class="grow">
                <TextField label="Find a table" type="search" value={filter} onInput={setFilter} />
              </div>
            </header>
          )}
          <Scrolls label="Tables">
            <table class="table">
              <caption class="visually-hidden">Tables</caption>
              <thead>
                <tr>
                  <th scope="col">Table</th>
                  <th scope="col">Database</th>
                  <th scope="col" class="number">
                    Records
                  </th>
                  <th scope="col" class="number">
                    Indexes
                  </th>
                  <th scope="col" class="number">
                    On disk
                  </th>
                </tr>
              </thead>
              <tbody>
                {shown.map((item) => (
                  <tr key={`${item.database}.${item.name}`}>
                    <td>
                      <a href={tablePath(item.database, item.name)}>
                        <strong>{item.name}</strong>
                      </a>
                    </td>
                    <td class="soft">{item.database}</td>
                    <td class="number">{formatCount(item.num_records)}</td>
                    <td class="number">{item.num_index}</td>
                    <td class="number soft">{formatBytes(item.total_size)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scrolls>
          {shown.length === 0 && <Empty title={`No table is called like “${filter}”`} />}
        </div>
      )}
      {isNew === '1' && may('define') && <NewTable database={value?.dbname ?? 'mydb'} onClose={() => setNew('')} />}
    </>
  )
}
