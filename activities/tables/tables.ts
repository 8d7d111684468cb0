import type { Heard } from '../../base/decode/wire-object.ts'
import { fault } from '../../base/faults.ts'
import type { Json } from '../../base/json.ts'
import type { Exclusively } from '../../base/mutex.ts'
import type { Deletion } from '../../infra/catalogue/deletions.ts'
import type { TableCatalogue, TableRecord } from '../../infra/catalogue/tables.ts'
import { type ClickHouse, runAll } from '../../infra/clickhouse/clickhouse.ts'
import type { Logger } from '../../infra/logger.ts'
import { createUnfinished } from '../../infra/unfinished.ts'
import { compileIndexBuild } from '../../sql/table/change.ts'
import { createTable, dropDatabase, dropStorage, dropTable, dropView } from '../../sql/table/ddl.ts'
import { decodeTable } from '../../sql/table/decode-table.ts'
import { compileTableCount, isSystemName } from '../../sql/table/statistics.ts'
import { storageName, storedTable, type Table, type TableIndex } from '../../sql/table/table.ts'
import type { Deletions, Restorer, Undo } from '../undo/deletions.ts'
import { createOpenTables, type OpenTable, type OpenTablesDeps } from './open-tables.ts'

export type TablesDeps = OpenTablesDeps & {
  /** The same, for statements that change tables. */
  readonly changed: ClickHouse
  readonly catalogue: TableCatalogue
  readonly logger: Logger
  readonly exclusively: Exclusively
  /** Resolves once the other processes have followed the catalogue. */
  readonly agreed: () => Promise<void>
  readonly deletions: Pick<Deletions, 'setAside' | 'settle'>
}

const tableOf = (body: string): Table => storedTable.parse(JSON.parse(body))
const nameOf = ({ database, name }: Table): string => `${database}.${name}`

/** Makes tables and takes them away, entirely or not at all, whatever happens in between. */
export function createTables({ changed, catalogue, logger, agreed, deletions, ...deps }: TablesDeps) {
  const { clickhouse, names, clock } = deps
  const tables = createOpenTables(deps)
  /** Tables that another process makes or drops, or left half-done, by their storage. */
  const leftOver = new Map<string, Table>()
  /** Indexes by their storage and number that may lack records that this process wrote. */
  const incomplete = new Set<string>()
  let last: Promise<unknown> = Promise.resolve()

  const exclusively: Exclusively = (work) => {
    const mine = deps.exclusively(work)
    last = mine.catch(() => {})
    return mine
  }
  /** The work left to do on tables, which is tried again, by their names. */
  const unfinished = createUnfinished({ noun: 'table', exclusively, logger })

  const allFollow = (storage: string): Promise<void> =>
    agreed().catch((error: unknown) =>
      logger.warn({ err: error, table: storage }, 'other processes have not followed the drop of a table, dropping it'),
    )

  /** Frees the name of a table that has gone, and its database's where it was the last. */
  async function freeNames(database: string, done: () => Promise<void>): Promise<void> {
    const isLast = !tables.has(database)
    if (isLast && (await countTables(database)) === 0) await changed.run(dropDatabase(database))
    await done()
    if (isLast) names.release(database, 'database')
  }

  /** Takes a table out of ClickHouse, whatever of it is there. */
  async function unmake(table: Table): Promise<void> {
    const { database, storage } = table
    await catalogue.put(table, 'dropping')
    await allFollow(storage)
    await runAll(changed, dropTable(table))
    await freeNames(database, () => catalogue.put(table, 'gone'))
  }

  /** A table that is set aside keeps its records where they are: no other table has its storage. */
  const restorer: Restorer = {
    exclusively,
    async setAside({ body }) {
      const table = tableOf(body)
      const { database, storage } = table
      if (tables.ofStorage(table)) await tables.forget(table)
      await catalogue.put(table, 'gone')
      await allFollow(storage)
      await changed.run(dropView(table))
      await freeNames(database, async () => {})
    },
    async checkFree({ body }) {
      const { database, name } = tableOf(body)
      await free(database, name)
    },
    async bringBack({ body }) {
      const table = tableOf(body)
      names.claim(table.database, 'database')
      await runAll(changed, createTable(table))
      await catalogue.put(table, 'ready')
      if (!tables.ofStorage(table)) tables.open(table)
    },
    remove: ({ body }) => changed.run(dropStorage(tableOf(body))),
  }

  async function unmakeOrLater(table: Table): Promise<void> {
    try {
      await unmake(table)
    } catch (error) {
      logger.error({ err: error, table: table.storage }, 'drop of a table failed, retrying')
      unfinished.later(nameOf(table), () => unmake(table), error)
      throw error
    }
  }

  /**
   * Gives a table the settings that another process has put; resolves once no write by the old ones is under way. Processes
   * that live hear of an index before it is filled. A process that stood still meanwhile finds the index ready, and may have
   * written records that the index lacks: to fill it again changes nothing else.
   */
  async function followSettings(opened: OpenTable, table: Table): Promise<void> {
    const keyOf = ({ number }: TableIndex): string => `${table.storage} ${number}`
    const known = new Set(opened.table.indexes.map(({ number }) => number))
    const added = table.indexes.filter(({ number }) => !known.has(number))
    for (const index of added) if (index.ready) incomplete.add(keyOf(index))
    opened.table = table
    if (table.indexes.every((index) => !added.includes(index) && !incomplete.has(keyOf(index)))) return
    await opened.writer.passed()
    for (const index of table.indexes.filter((each) => incomplete.has(keyOf(each)))) {
      await clickhouse.run(compileIndexBuild(table, index))
      incomplete.delete(keyOf(index))
      logger.info({ table: table.storage, path: index.path }, 'index completed, this process had not heard of it')
    }
  }

  /** Tables and views in a ClickHouse database, Weir's or an analyst's. */
  async function countTables(database: string, name?: string): Promise<number> {
    const [row] = await clickhouse.rows<{ count: number }>(compileTableCount(database, name))
    return Number(row?.count ?? 0)
  }

  /** Takes a name for a table. */
  async function free(database: string, name: string): Promise<void> {
    await checkIsFree(database, name)
    names.claim(database, 'database')
  }

  /** Throws a fault `conflict` where a table cannot have the name. Another table of that name in ClickHouse is left alone. */
  async function checkIsFree(database: string, name: string): Promise<void> {
    if (isSystemName(name)) throw fault('conflict', `${name} is the name of a system table; take another`)
    await unfinished.settle(`${database}.${name}`)
    await deletions.settle('table', `${database}.${name}`)
    if (tables.has(database, name)) {
      throw fault('conflict', `table ${database}.${name} exists already; DELETE /db/${database}/${name} drops it`)
    }
    if ((await countTables(database, name)) > 0) {
      throw fault('conflict', `ClickHouse has a table ${database}.${name} that is none of Weir's; take another name`)
    }
    names.check(database, 'database')
  }

  return {
    /** Reads the catalogue; undoes or ends changes that a crash left half-done, later where ClickHouse refuses it now. */
    async load(): Promise<void> {
      const records = await catalogue.all()
      for (const { table, state } of records) if (state === 'ready') tables.open(table)
      for (const { table, state } of records) {
        if (state === 'ready') continue
        logger.warn({ table: table.storage, state }, 'table was left half-made or half-dropped, dropping it')
        await unmakeOrLater(table).catch(() => {})
      }
    },

    /** Applies in memory the change of a table that another process has made; runs no DDL. */
    async follow({ table, state }: TableRecord): Promise<void> {
      const opened = tables.ofStorage(table)
      unfinished.forget(nameOf(table))
      if (state === 'ready' || state === 'gone') leftOver.delete(table.storage)
      else leftOver.set(table.storage, table)
      if (state === 'ready') {
        if (opened) await followSettings(opened, table)
        else tables.open(table)
      } else if (state !== 'making' && opened) {
        await tables.forget(table)
        if (!tables.has(table.database)) names.release(table.database, 'database')
      }
    },

    /** Ends changes that another process left half-done. */
    async repair(): Promise<void> {
      for (const table of [...leftOver.values()]) {
        await unmakeOrLater(table).catch(() => {})
        leftOver.delete(table.storage)
      }
    },
    hasLeftOvers: (): boolean => leftOver.size > 0,
    unfinished: unfinished.list,

    /** Refuses what `create` would refuse, and changes nothing. */
    tryCreate: (database: string, wire: Json, notes?: Heard): Promise<{ readonly name: string }> =>
      exclusively(async () => {
        const settings = decodeTable(database, wire, notes)
        await checkIsFree(database, settings.name)
        return settings
      }),

    create: (database: string, wire: Json, notes?: Heard): Promise<Table> =>
      exclusively(async () => {
        const settings = decodeTable(database, wire, notes)
        const { name } = settings
        await free(database, name)
        const table = { ...settings, storage: storageName(database, name, clock.next()) }
        try {
          await catalogue.put(table, 'making')
          await runAll(changed, createTable(table))
          await catalogue.put(table, 'ready')
        } catch (error) {
          await unmakeOrLater(table).catch(() => {})
          throw error
        }
        tables.open(table)
        return table
      }),

    /** Takes a table away with its records; writes that were under way are answered first. With `undo` the records are kept. */
    drop: (database: string, name: string, undo?: Undo): Promise<Deletion | undefined> =>
      exclusively(async () => {
        const { table } = tables.find(database, name)
        if (undo) return deletions.setAside({ kind: 'table', name: nameOf(table), body: JSON.stringify(table) }, undo)
        await tables.forget(table)
        await unmakeOrLater(table)
        return undefined
      }),

    restorer,

    /** Gives a table other settings, once they are in the catalogue; `alone` between its writes. */
    change: <Result>(database: string, name: string, work: (opened: OpenTable) => Promise<Result>): Promise<Result> =>
      exclusively(() => work(tables.find(database, name))),

    find: tables.find,
    list: tables.list,
    has: (database: string, name?: string): boolean => tables.has(database, name),
    databases: tables.databases,

    async close(): Promise<void> {
      unfinished.stop()
      await last
      await tables.close()
    },
  }
}

export type Tables = ReturnType<typeof createTables>
