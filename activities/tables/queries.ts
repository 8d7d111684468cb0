import { fault } from '../../base/faults.ts'
import { parseJson } from '../../base/json.ts'
import type { QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import type { Condition, Statement } from '../../sql/query/index.ts'
import { compileRemoval, compileReplacement } from '../../sql/table/change.ts'
import { decodeDocument, statementDocument } from '../../sql/table/document.ts'
import { keysMeant } from '../../sql/table/key.ts'
import { recordText } from '../../sql/table/record-text.ts'
import { compileByKeys, compileRecordCount, latestRecords, type VersionRow } from '../../sql/table/select.ts'
import type { Table } from '../../sql/table/table.ts'
import type { Cursors } from '../pages/cursors.ts'
import type { OpenTable } from './open-tables.ts'
import { absent } from './records.ts'
import { createTableRows, keyAsked } from './rows.ts'
import { chooseScope } from './scopes.ts'

type Of<Kind> = Extract<Statement, { kind: Kind }>

/** Answers SQL on tables. */
export function createTableQueries(cursors: Cursors) {
  async function countOf(table: Table, where: Condition | undefined, on: QueryClickHouse): Promise<number> {
    const statement = compileRecordCount(table, await chooseScope(table, where, on), where)
    const [row] = await on.rows<{ count: number }>(statement)
    return Number(row?.count ?? 0)
  }

  async function recordsOf(table: Table, text: string, on: QueryClickHouse) {
    const keys = keysMeant(table, text)
    const found = latestRecords(await on.rows<VersionRow>(compileByKeys(table, keys, true)))
    for (const key of keys) {
      const records = found.get(key) ?? []
      const [first] = records
      if (first) return { key, first, records }
    }
    throw absent(table, keys.at(-1) ?? text)
  }

  /** Nothing is held while the query waits for its place: neither one before its turn in the table, nor the table's writer. */
  const changing = (
    { changes, writer }: OpenTable,
    on: QueryClickHouse,
    work: (table: Table, version: number) => Promise<number>,
  ): Promise<number> =>
    changes.use(async () => {
      await on.begin()
      return writer.alone(work)
    })

  return {
    /** The newest record of a key, as JSON text. */
    async record({ table }: OpenTable, text: string, on: QueryClickHouse): Promise<string> {
      const { first } = await recordsOf(table, text, on)
      return recordText(table, first)
    },

    /** The records of a key, newest first; a fault `missing` where it has none. */
    recordsOf: ({ table }: OpenTable, text: string, on: QueryClickHouse) => recordsOf(table, text, on),

    rows: createTableRows(cursors),

    count: ({ table }: OpenTable, { where }: Of<'count'>, on: QueryClickHouse): Promise<number> =>
      countOf(table, where, on),

    /** Ends the records that match; answers how many. */
    remove: (opened: OpenTable, { where }: Of<'delete'>, on: QueryClickHouse): Promise<number> =>
      changing(opened, on, async (table, version) => {
        const count = await countOf(table, where, on)
        if (count > 0) await on.run(compileRemoval(table, await chooseScope(table, where, on), where, version))
        return count
      }),

    /** Gives the records that match another document; answers how many. */
    update: (opened: OpenTable, { document: sent, where }: Of<'update'>, on: QueryClickHouse): Promise<number> =>
      changing(opened, on, async (table, version) => {
        if (sent.kind === 'json') parseJson(sent.text, 'the document')
        const { document, key } = decodeDocument(table, statementDocument(table, sent))
        if (key !== undefined && key !== keyAsked(table, where)) {
          throw fault(
            'invalid',
            '_pk: an update keeps the keys; leave _pk out of the document, or write where _pk = the same',
          )
        }
        const count = await countOf(table, where, on)
        if (count > 0) {
          await on.run(compileReplacement(table, await chooseScope(table, where, on), where, document, version))
        }
        return count
      }),
  }
}

export type TableQueries = ReturnType<typeof createTableQueries>
