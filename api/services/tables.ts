import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import type { Clock } from '../../infra/clock.ts'
import { fault } from '../../infra/faults.ts'
import type { Logger } from '../../infra/logger.ts'
import { createRecordWriter, type RecordWriter } from '../../infra/records/record-writer.ts'
import type { TableCatalogue, TableRecord } from '../../infra/table-catalogue.ts'
import { quoted } from '../../sql/schema/check-name.ts'
import { createTable, dropDatabase, dropTable } from '../../sql/table/ddl.ts'
import { decodeTable } from '../../sql/table/decode-table.ts'
import { compileTableCount, isSystemName } from '../../sql/table/statistics.ts'
import { storageName, type Table } from '../../sql/table/table.ts'
import type { Json } from '../ingest/json.ts'
import type { InTurn } from './schema-turns.ts'
import type { StorageNames } from './storage-names.ts'

export type TablesDeps = {
  readonly clickhouse: ClickHouse
  readonly catalogue: TableCatalogue
  readonly names: StorageNames
  readonly clock: Clock
  readonly logger: Logger
  readonly inTurn: InTurn
  /** Other processes of the service are on the same ClickHouse. */
  readonly isShared: boolean
  /** Resolves once the other processes have followed what was written to the catalogue. */
  readonly agreed: () => Promise<void>
}

/** A table that is there. `table` changes with its indexes. */
export type OpenTable = { table: Table; readonly writer: RecordWriter }

/** The tables that are there, in memory; makes them and takes them away, entirely or not at all. */
export function createTables({ clickhouse, catalogue, names, clock, logger, isShared, agreed, ...deps }: TablesDeps) {
  const databases = new Map<string, Map<string, OpenTable>>()
  let last: Promise<unknown> = Promise.resolve()

  const inTurn: InTurn = (work) => {
    const mine = deps.inTurn(work)
    last = mine.catch(() => {})
    return mine
  }

  const listOf = (database: string): OpenTable[] => [...(databases.get(database)?.values() ?? [])]

  function find(database: string, name: string): OpenTable {
    const found = databases.get(database)?.get(name)
    if (found) return found
    const others = listOf(database).map(({ table }) => table.name)
    const there = others.length > 0 ? `there are ${others.slice(0, 20).join(', ')}` : 'it has none'
    throw fault('missing', `no table ${quoted(name)} in database ${quoted(database)}; ${there}`)
  }

  function open(table: Table): void {
    const opened: OpenTable = {
      table,
      writer: createRecordWriter({ clickhouse, clock, isShared, table: () => opened.table }),
    }
    names.claim(table.database, 'database')
    const tables = databases.get(table.database) ?? new Map<string, OpenTable>()
    databases.set(table.database, tables.set(table.name, opened))
  }

  async function forget({ database, name }: Table): Promise<void> {
    const tables = databases.get(database)
    const opened = tables?.get(name)
    tables?.delete(name)
    if (tables?.size === 0) databases.delete(database)
    await opened?.writer.close()
  }

  async function unmake(table: Table): Promise<void> {
    await catalogue.put(table, 'dropping')
    await agreed().catch((error: unknown) => logger.warn({ err: error, table: table.storage }, 'dropped all the same'))
    for (const statement of dropTable(table)) await clickhouse.run(statement)
    const isLast = !databases.has(table.database)
    if (isLast && (await countTables(table.database)) === 0) await clickhouse.run(dropDatabase(table.database))
    await catalogue.put(table, 'gone')
    if (isLast) names.release(table.database, 'database')
  }

  /** Tables and views in a ClickHouse database, Weir's or an analyst's. */
  async function countTables(database: string, name?: string): Promise<number> {
    const [row] = await clickhouse.rows<{ count: number }>(compileTableCount(database, name))
    return Number(row?.count ?? 0)
  }

  return {
    /** Reads the catalogue; undoes or ends what a crash left half-done. */
    async load(): Promise<void> {
      const records = await catalogue.all()
      for (const { table, state } of records) if (state === 'ready') open(table)
      for (const { table, state } of records) {
        if (state === 'ready') continue
        logger.warn({ table: table.storage, state }, 'table was left half-done, removing it')
        await unmake(table)
      }
    },

    /** Does in memory what another process has done to a table; runs no DDL. */
    async follow({ table, state }: TableRecord): Promise<void> {
      const opened = databases.get(table.database)?.get(table.name)
      if (state === 'ready') {
        if (opened?.table.storage === table.storage) opened.table = table
        else open(table)
      } else if (state !== 'making' && opened?.table.storage === table.storage) {
        await forget(table)
        if (!databases.has(table.database)) names.release(table.database, 'database')
      }
    },

    create: (database: string, wire: Json): Promise<Table> =>
      inTurn(async () => {
        const settings = decodeTable(database, wire)
        const { name } = settings
        if (isSystemName(name)) throw fault('conflict', `${name} is the name of a system table; take another`)
        if (databases.get(database)?.has(name)) {
          throw fault('conflict', `table ${database}.${name} exists already; DELETE /db/${database}/${name} drops it`)
        }
        if ((await countTables(database, name)) > 0) {
          throw fault(
            'conflict',
            `ClickHouse has a table ${database}.${name} that is none of Weir's; take another name`,
          )
        }
        names.claim(database, 'database')
        const table = { ...settings, storage: storageName(database, name, clock.next()) }
        try {
          await catalogue.put(table, 'making')
          for (const statement of createTable(table)) await clickhouse.run(statement)
          await catalogue.put(table, 'ready')
        } catch (error) {
          await unmake(table).catch((failure: unknown) =>
            logger.error({ err: failure, table: table.storage }, 'table not undone'),
          )
          throw error
        }
        open(table)
        return table
      }),

    /** Takes a table away with its records; writes that were under way are answered first. */
    drop: (database: string, name: string): Promise<void> =>
      inTurn(async () => {
        const { table } = find(database, name)
        await forget(table)
        await unmake(table)
      }),

    /** Gives a table other settings, once they are in the catalogue; `alone` between its writes. */
    change: <Result>(database: string, name: string, work: (opened: OpenTable) => Promise<Result>): Promise<Result> =>
      inTurn(() => work(find(database, name))),

    find,
    list: listOf,
    has: (database: string): boolean => databases.has(database),
    databases: (): string[] => [...databases.keys()].sort(),

    async close(): Promise<void> {
      await last
      await Promise.all(
        [...databases.values()].flatMap((tables) => [...tables.values()].map(({ writer }) => writer.close())),
      )
    },
  }
}

export type Tables = ReturnType<typeof createTables>
