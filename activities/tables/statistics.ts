import type { QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import {
  bucketTable,
  compileParts,
  compileRecordCounts,
  compileRecordParts,
  keyTable,
  systemDatabase,
  systemTables,
} from '../../sql/table/statistics.ts'
import type { Table } from '../../sql/table/table.ts'

/** A table item of interface 4.14, with `files` where the list is verbose. */
export type TableItem = {
  readonly name: string
  readonly issys: 0 | 1
  readonly num_records: number
  readonly num_index: number
  readonly files?: readonly string[]
  readonly total_size: number
  readonly num_files: number
}

type Parts = { readonly table: string; readonly files: string[]; readonly bytes: number; readonly rows: number }

export type TableStatisticsDeps = {
  readonly clickhouse: QueryClickHouse
  readonly countBuckets: () => Promise<number>
  readonly countKeys: () => Promise<number>
}

/** How much stands in tables, by ClickHouse's own account. */
export function createTableStatistics({ clickhouse, countBuckets, countKeys }: TableStatisticsDeps) {
  async function items(tables: readonly Table[], verbose: boolean): Promise<TableItem[]> {
    if (tables.length === 0) return []
    const [parts, counts] = await Promise.all([
      clickhouse.rows<Parts>(compileRecordParts(tables)),
      clickhouse.rows<{ storage: string; records: number }>(compileRecordCounts(tables)),
    ])
    return tables.map((table) => {
      const records = counts.find(({ storage }) => storage === table.storage)?.records ?? 0
      const indexes = table.indexes.length + (table.words === 'all' ? 0 : table.words.length)
      const own = parts.filter((each) => each.table === table.storage)
      return itemOf({ name: table.name, issys: 0, num_records: Number(records), num_index: indexes }, own, verbose)
    })
  }

  return {
    items,

    async systemItems(verbose: boolean): Promise<TableItem[]> {
      const names = [...systemTables.values()].flat()
      const [parts, buckets, keys] = await Promise.all([
        clickhouse.rows<Parts>(compileParts(systemDatabase, names)),
        countBuckets().catch(() => 0), // A list of tables needs no object store.
        countKeys(),
      ])
      return [...systemTables].map(([name, tables]) => {
        const own = parts.filter(({ table }) => tables.includes(table))
        const rows = own.reduce((sum, part) => sum + Number(part.rows), 0)
        const records = name === bucketTable ? buckets : name === keyTable ? keys : rows
        return itemOf({ name, issys: 1, num_records: records, num_index: 0 }, own, verbose)
      })
    },
  }
}

export type TableStatistics = ReturnType<typeof createTableStatistics>

function itemOf(
  head: Omit<TableItem, 'total_size' | 'num_files'>,
  parts: readonly Parts[],
  verbose: boolean,
): TableItem {
  const files = parts.flatMap((each) => each.files)
  const total_size = parts.reduce((sum, { bytes }) => sum + Number(bytes), 0)
  return { ...head, ...(verbose && { files }), total_size, num_files: files.length }
}
