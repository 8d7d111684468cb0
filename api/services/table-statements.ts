import { isNotificationSource } from '../../sql/notification/select.ts'
import type { Source, Statement } from '../../sql/query/index.ts'
import { PlacedRefusal } from '../../sql/query/placed-refusal.ts'
import type { Notifications } from './notifications.ts'
import type { Records } from './records.ts'
import { pageText } from './rows.ts'
import type { TableIndexes } from './table-indexes.ts'
import type { TableQueries } from './table-queries.ts'
import type { TableQuery } from './table-rows.ts'
import type { OpenTable, Tables } from './tables.ts'

export type TableStatementsDeps = {
  readonly tables: Tables
  readonly indexes: TableIndexes
  readonly records: Records
  readonly queries: TableQueries
  readonly notifications: Notifications
}

/** Runs a statement on a table, or on what is registered of notifications; the answer is JSON text. */
export function createTableStatements({ tables, indexes, records, queries, notifications }: TableStatementsDeps) {
  async function insert(opened: OpenTable, statement: Extract<Statement, { kind: 'insert' }>): Promise<string> {
    indexes.checkWords(opened, statement.reverseIndex)
    const done = await records.insert(opened, statement.key, statement.document)
    if (done) await indexes.addWords(opened, statement.reverseIndex)
    return done ? '{"retval":0}' : '{"retval":1}'
  }

  async function onNotifications(statement: Statement, query: TableQuery): Promise<string | undefined> {
    if (statement.kind !== 'rows' && statement.kind !== 'count') return undefined
    const { schema, name } = statement.from
    if (schema !== undefined || !isNotificationSource(name)) return undefined
    if (statement.kind === 'rows') return pageText(await notifications.rows(name, statement, query))
    return retval(await notifications.count(name, statement))
  }

  return {
    /** Whether `D.T` may name a table of database D. */
    knows: (database: string): boolean => tables.has(database),

    async run(database: string, statement: Statement, query: TableQuery): Promise<string> {
      const answer = await onNotifications(statement, query)
      if (answer !== undefined) return answer
      const source = sourceOf(statement)
      const opened = tables.find(source.schema ?? database, source.name)
      switch (statement.kind) {
        case 'rows':
          return pageText(await queries.rows(opened, statement, query))
        case 'count':
          return retval(await queries.count(opened, statement))
        case 'insert':
          return insert(opened, statement)
        case 'update':
          return retval(await queries.update(opened, statement))
        case 'delete':
          return retval(await queries.remove(opened, statement))
        default:
          throw new PlacedRefusal(source.at, `${statement.kind} goes with streams, ${source.name} is a table`)
      }
    },
  }
}

export type TableStatements = ReturnType<typeof createTableStatements>

const retval = (count: number): string => `{"retval":${count}}`

/** What a statement reads or writes. */
export function sourceOf(statement: Statement): Source {
  if (statement.kind === 'insert') return statement.into
  return statement.kind === 'update' ? statement.table : statement.from
}
