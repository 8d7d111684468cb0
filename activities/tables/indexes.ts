import type { Heard } from '../../base/decode/wire-object.ts'
import { fault } from '../../base/faults.ts'
import type { Json } from '../../base/json.ts'
import { quoted } from '../../base/quoted.ts'
import type { TableCatalogue } from '../../infra/catalogue/tables.ts'
import { type ClickHouse, runAll } from '../../infra/clickhouse/clickhouse.ts'
import type { Logger } from '../../infra/logger.ts'
import { compileIndexBuild } from '../../sql/table/change.ts'
import { addWordIndex, clearIndexes, hadIndexes } from '../../sql/table/ddl.ts'
import { checkPath, decodeIndex } from '../../sql/table/decode-index.ts'
import { hasWords, type Table, type TableIndex } from '../../sql/table/table.ts'
import type { OpenTable } from './open-tables.ts'
import type { Tables } from './tables.ts'

export type TableIndexesDeps = {
  readonly clickhouse: ClickHouse
  readonly catalogue: TableCatalogue
  readonly tables: Tables
  readonly logger: Logger
  /** Resolves once the other processes have followed the catalogue. */
  readonly agreed: () => Promise<void>
}

const maxIndexes = 32
/** Fields of a table with a reverse index, whose names stand in its settings. */
const maxFields = 100
/** A query that chose an index just before it was dropped still finds its rows. */
const clearAfter_ms = 10_000

/** Indexes of tables: made over the records that are there while others are written, and dropped again. */
export function createTableIndexes({ clickhouse, catalogue, tables, logger, agreed }: TableIndexesDeps) {
  async function change(opened: OpenTable, settings: Partial<Table>): Promise<void> {
    const table = { ...opened.table, ...settings }
    await catalogue.put(table, 'ready')
    opened.table = table
  }

  const without = ({ indexes }: Table, path: string): TableIndex[] => indexes.filter((index) => index.path !== path)

  const clear = ({ table }: OpenTable): Promise<void> =>
    clickhouse
      .run(clearIndexes(table))
      .catch((error: unknown) =>
        logger.warn(
          { err: error, table: table.storage },
          'rows of a dropped index not cleared, clearing them at the next start',
        ),
      )

  async function drop(opened: OpenTable, index: TableIndex): Promise<void> {
    await opened.writer.alone(() => change(opened, { indexes: without(opened.table, index.path) }))
    setTimeout(() => void clear(opened), clearAfter_ms).unref()
  }

  function refuseIndex({ table }: OpenTable, path: string): void {
    if (table.kind !== 'WIDE') {
      throw fault('invalid', `${table.name} is a ${table.kind} table: only documents of WIDE tables have attributes`)
    }
    if (table.indexes.some((index) => index.path === path)) {
      throw fault('conflict', `table ${table.name} has an index on ${path} already`)
    }
    if (table.indexes.length >= maxIndexes) throw fault('conflict', `a table has at most ${maxIndexes} indexes`)
  }

  return {
    /** Ends a build that a crash cut off: an index that does not hold every record is none. */
    async load(): Promise<void> {
      for (const opened of tables.databases().flatMap((database) => tables.list(database))) {
        const { indexes } = opened.table
        if (indexes.some(({ ready }) => !ready)) await change(opened, { indexes: indexes.filter(({ ready }) => ready) })
        if (hadIndexes(opened.table)) await clear(opened)
      }
    },

    /** Resolves when the index holds every record. */
    add: (database: string, name: string, wire: Json, notes?: Heard): Promise<string> =>
      tables.change(database, name, async (opened) => {
        const settings = decodeIndex(wire, notes)
        const { path } = settings
        // A failure has left it between two states, and no process works on it any more.
        const left = opened.table.indexes.find((each) => each.path === path && !each.ready)
        if (left) await drop(opened, left)
        refuseIndex(opened, path)
        const index = { ...settings, number: opened.table.nextIndex, ready: false }
        // From here on every write also writes the index; records that were there before are copied.
        await opened.writer.alone(() =>
          change(opened, { indexes: [...opened.table.indexes, index], nextIndex: index.number + 1 }),
        )
        try {
          await agreed()
          await clickhouse.run(compileIndexBuild(opened.table, index))
          await change(opened, { indexes: [...without(opened.table, path), { ...index, ready: true }] })
        } catch (error) {
          await drop(opened, index).catch((failure: unknown) =>
            logger.error(
              { err: failure, table: opened.table.storage, path },
              'half-made index not dropped, it is dropped when it is made again',
            ),
          )
          throw error
        }
        return path
      }),

    drop: (database: string, name: string, path: string): Promise<void> =>
      tables.change(database, name, async (opened) => {
        const index = opened.table.indexes.find((each) => each.path === path)
        if (index) return drop(opened, index)
        const known = opened.table.indexes.map((each) => each.path)
        const there = known.length > 0 ? `it has ${known.join(', ')}` : 'it has none'
        throw fault('missing', `table ${name} has no index ${quoted(path)}; ${there}`)
      }),

    /** Refuses wrong fields of a reverse index before a record is written. */
    checkWords({ table }: OpenTable, fields: readonly string[]): void {
      if (fields.length === 0) return
      if (table.kind !== 'WIDE') {
        throw fault('invalid', `revidx names attributes; the documents of ${table.name} (${table.kind}) have none`)
      }
      for (const field of fields) {
        const problem = checkPath(field)
        if (problem !== undefined) throw fault('invalid', `revidx: ${problem}`)
      }
      const { words } = table
      if (words !== 'all' && new Set([...words, ...fields]).size > maxFields)
        throw fault(
          'conflict',
          `revidx: a table has a reverse index on at most ${maxFields} fields; make one with allow_rev_idx, it covers all`,
        )
    },

    /** Gives fields a reverse index, if they have none. */
    async addWords({ table }: OpenTable, fields: readonly string[]): Promise<void> {
      if (fields.every((field) => hasWords(table, field))) return
      await tables.change(table.database, table.name, async (opened) => {
        const { words } = opened.table
        if (words === 'all') return
        if (words.length === 0) await runAll(clickhouse, addWordIndex(opened.table))
        await change(opened, { words: [...new Set([...words, ...fields])] })
      })
    },
  }
}

export type TableIndexes = ReturnType<typeof createTableIndexes>
