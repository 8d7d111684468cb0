import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import { type EventColumns, eventColumns, type TableColumn } from '../../sql/query/compile/source.ts'

/** A stream's name holds no two underscores; the names of things derived from it do. */
const ofEvents = "position(table, '__') = 0 ORDER BY position"

/** The tables and columns of a schema that ClickHouse has. */
export const createSchemaTables = (clickhouse: ClickHouse) => ({
  /** Columns of its events tables, by stream. */
  async columns(schema: string): Promise<Map<string, EventColumns>> {
    const found = await clickhouse.rows<TableColumn>({
      text: `SELECT table, name, type, default_kind FROM system.columns WHERE database = {schema:String} AND ${ofEvents}`,
      params: { schema },
    })
    return eventColumns(found)
  },

  /** The same of every schema at once: each question costs some milliseconds. */
  async allColumns(): Promise<Map<string, Map<string, EventColumns>>> {
    const found = await clickhouse.rows<TableColumn & { readonly database: string }>({
      text: `SELECT database, table, name, type, default_kind FROM system.columns WHERE database != 'system' AND ${ofEvents}`,
      params: {},
    })
    const columns = new Map<string, TableColumn[]>()
    for (const column of found) {
      const own = columns.get(column.database)
      if (own) own.push(column)
      else columns.set(column.database, [column])
    }
    return new Map([...columns].map(([schema, own]) => [schema, eventColumns(own)]))
  },

  /** Names of its tables and views. */
  async names(schema: string): Promise<Set<string>> {
    const found = await clickhouse.rows<{ name: string }>({
      text: 'SELECT name FROM system.tables WHERE database = {schema:String}',
      params: { schema },
    })
    return new Set(found.map(({ name }) => name))
  },
})

export type SchemaTables = ReturnType<typeof createSchemaTables>
