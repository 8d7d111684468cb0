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

/** A table in `GET /db/D/list/<verbose>`, with `files` where the list is verbose. */
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
  readonly countBuckets: () => Promise<number>
  readonly countKeys: () => Promise<number>
  /**
   * How long a count is believed whose table's parts stay the same. The parts and the count are two questions: of
   * several replicas one that lags may have answered the second, and its count stands beside the other's parts.
   */
  readonly believed_ms: number
}

/** How long one of several replicas may make a count too low. */
export const believedOfReplicas_ms = 60_000

/** Tables whose counts are remembered. */
const maxKnown = 10_000

/** How much stands in tables, by ClickHouse's own account. */
export function createTableStatistics({ countBuckets, countKeys, believed_ms }: TableStatisticsDeps) {
  /** How many records tables held when they had these parts, by storage: a table in the same parts holds the same records. */
  const known = new Map<string, { readonly parts: string; readonly records: number; readonly at_ms: number }>()

  /** Counting merges every record, so it is done where the parts have changed alone. */
  async function countsOf(
    tables: readonly Table[],
    parts: ReadonlyMap<string, Parts>,
    on: QueryClickHouse,
  ): Promise<Map<string, number>> {
    const partsOf = ({ storage }: Table): string => (parts.get(storage)?.files ?? []).join(' ')
    const counts = new Map<string, number>()
    const now = performance.now()
    const changed = tables.filter((table) => {
      const { storage } = table
      const before = known.get(storage)
      const isSame =
        before !== undefined &&
        before.parts !== '' &&
        before.parts === partsOf(table) &&
        now - before.at_ms < believed_ms
      if (isSame) counts.set(storage, before.records)
      return !isSame
    })
    if (changed.length === 0) return counts
    const found = await on.rows<{ storage: string; records: number }>(compileRecordCounts(changed))
    if (known.size + changed.length > maxKnown) known.clear()
    for (const table of changed) {
      const { storage } = table
      const records = Number(found.find((each) => each.storage === storage)?.records ?? 0)
      counts.set(storage, records)
      known.set(storage, { parts: partsOf(table), records, at_ms: now })
    }
    return counts
  }

  async function items(tables: readonly Table[], verbose: boolean, on: QueryClickHouse): Promise<TableItem[]> {
    if (tables.length === 0) return []
    // The parts first: a record that comes in between is in the count, and in parts that are not these.
    const found = await on.rows<Parts>(compileRecordParts(tables))
    const parts = new Map(found.map((each) => [each.table, each]))
    const counts = await countsOf(tables, parts, on)
    return tables.map((table) => {
      const indexes = table.indexes.length + (table.words === 'all' ? 0 : table.words.length)
      const own = found.filter((each) => each.table === table.storage)
      const num_records = counts.get(table.storage) ?? 0
      return itemOf({ name: table.name, issys: 0, num_records, num_index: indexes }, own, verbose)
    })
  }

  return {
    items,

    async systemItems(verbose: boolean, on: QueryClickHouse): Promise<TableItem[]> {
      const names = [...systemTables.values()].flat()
      const [parts, buckets, keys] = await Promise.all([
        on.rows<Parts>(compileParts(systemDatabase, names)),
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
