import { fault } from '../../base/faults.ts'
import { createPool, type Pool } from '../../base/pool.ts'
import { quoted } from '../../base/quoted.ts'
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import type { Clock } from '../../infra/clock.ts'
import type { Table } from '../../sql/table/table.ts'
import type { RecordMemory } from '../rules/references/record-memory.ts'
import type { StorageNames } from '../schemas/storage-names.ts'
import { createRecordWriter, type RecordWriter } from './record-writer.ts'

export type OpenTablesDeps = {
  readonly clickhouse: ClickHouse
  readonly names: StorageNames
  readonly clock: Clock
  /** Other processes of the service are on the same ClickHouse. */
  readonly isShared: boolean
  /** Answers about the records that rules remember. */
  readonly remembered: Pick<RecordMemory, 'writing' | 'forget'>
}

/** A table that is there. `table` changes with its indexes. */
export type OpenTable = {
  table: Table
  readonly writer: RecordWriter
  /** Updates and deletes by condition, one at a time: no table has more than one place among the queries for them. */
  readonly changes: Pick<Pool<0>, 'use'>
}

/** Updates and deletes of one table that wait for those before them, and for how long. */
const maxChanges = 100
const patience_ms = 30_000

/** The tables that are there, in memory, for requests to look up. */
export function createOpenTables({ clickhouse, names, clock, isShared, remembered }: OpenTablesDeps) {
  const databases = new Map<string, Map<string, OpenTable>>()
  const listOf = (database: string): OpenTable[] => [...(databases.get(database)?.values() ?? [])]

  return {
    list: listOf,
    has: (database: string, name?: string): boolean =>
      name === undefined ? databases.has(database) : databases.get(database)?.has(name) === true,
    databases: (): string[] => [...databases.keys()].sort(),

    find(database: string, name: string): OpenTable {
      const found = databases.get(database)?.get(name)
      if (found) return found
      const others = listOf(database).map(({ table }) => table.name)
      const there = others.length > 0 ? `there are ${others.slice(0, 20).join(', ')}` : 'it has none'
      throw fault('missing', `no table ${quoted(name)} in database ${quoted(database)}; ${there}`)
    },

    /** The open table of this storage; undefined where a later table of the same name is open. */
    ofStorage({ database, name, storage }: Table): OpenTable | undefined {
      const found = databases.get(database)?.get(name)
      return found?.table.storage === storage ? found : undefined
    },

    open(table: Table): void {
      const opened: OpenTable = {
        table,
        writer: createRecordWriter({
          ...{ clickhouse, clock, isShared, table: () => opened.table },
          writing: (keys) => remembered.writing(table.storage, keys),
        }),
        changes: createPool([0], { max: maxChanges, patience_ms, refuse: () => isChanged(table) }),
      }
      names.claim(table.database, 'database')
      const tables = databases.get(table.database) ?? new Map<string, OpenTable>()
      databases.set(table.database, tables.set(table.name, opened))
    },

    /** From now on no request finds it; resolves once its writes that were under way are answered. */
    async forget({ database, name }: Table): Promise<void> {
      const tables = databases.get(database)
      const opened = tables?.get(name)
      tables?.delete(name)
      if (tables?.size === 0) databases.delete(database)
      await opened?.writer.close()
      if (opened) remembered.forget(opened.table.storage)
    },

    async close(): Promise<void> {
      await Promise.all(
        [...databases.values()].flatMap((tables) => [...tables.values()].map(({ writer }) => writer.close())),
      )
    },
  }
}

const isChanged = ({ name }: Table) =>
  fault('limited', `other updates or deletes of table ${name} are under way; try again`, { retryAfter: 5 })
