import { partsOf } from '../../parts/paths.ts'
import { TableList } from './table-list.tsx'
import { TablePage } from './table-page.tsx'

/** `/console/tables`, `/console/tables/<database>/<table>`. */
export default function Tables({ rest = '' }: { readonly rest?: string }) {
  const [database, table] = partsOf(rest)
  if (database === undefined || table === undefined) return <TableList />
  return <TablePage key={`${database}/${table}`} database={database} table={table} />
}
