import type { SqlStatement } from '../../sql/statement.ts'
import { storedTable, type Table } from '../../sql/table/table.ts'
import type { ClickHouse } from '../clickhouse/clickhouse.ts'
import { versionAfter } from './version-after.ts'

/** `making` and `dropping` are marks of work that a crash may have cut off; the next start undoes or ends it. */
export type TableState = 'making' | 'ready' | 'dropping' | 'gone'
export type TableRecord = { readonly table: Table; readonly state: TableState }

type Row = { readonly body: string; readonly state: TableState }

/** The tables that Weir knows, in ClickHouse. The latest version of a row is the one that counts. */
export function createTableCatalogue(
  clickhouse: ClickHouse,
  now_us: () => number,
  write: (insertion: SqlStatement) => Promise<void> = clickhouse.run,
) {
  return {
    async all(): Promise<TableRecord[]> {
      const text = "SELECT body, state FROM weir.tables FINAL WHERE state != 'gone' ORDER BY storage"
      const rows = await clickhouse.rows<Row>({ text, params: {} })
      return rows.map(({ body, state }) => ({ table: storedTable.parse(JSON.parse(body)), state }))
    },

    /** The tables that were written after a version. */
    async since(version: number): Promise<TableRecord[]> {
      const text = 'SELECT body, state FROM weir.tables FINAL WHERE version > {version:UInt64} ORDER BY version'
      const rows = await clickhouse.rows<Row>({ text, params: { version } })
      return rows.map(({ body, state }) => ({ table: storedTable.parse(JSON.parse(body)), state }))
    },

    put: (table: Table, state: TableState): Promise<void> =>
      write({
        text: `INSERT INTO weir.tables SELECT {storage:String}, {body:String}, {state:String}, ${versionAfter('tables', ['storage'])}`,
        params: { storage: table.storage, body: JSON.stringify(table), state, version: now_us() },
      }),
  }
}

export type TableCatalogue = ReturnType<typeof createTableCatalogue>
