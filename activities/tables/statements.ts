import type { QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import { type Statement, sourceOf } from '../../sql/query/index.ts'
import { PlacedRefusal } from '../../sql/query/placed-refusal.ts'
import { type Answer, changeAnswer, countAnswer, rowsAnswer } from '../pages/page.ts'
import type { TableIndexes } from './indexes.ts'
import type { OpenTable } from './open-tables.ts'
import type { TableQueries } from './queries.ts'
import type { Records } from './records.ts'
import type { TableQuery } from './rows.ts'
import type { Tables } from './tables.ts'

export type TableStatementsDeps = {
  readonly tables: Tables
  readonly indexes: TableIndexes
  readonly records: Records
  readonly queries: TableQueries
}

/** Runs a statement on a table. */
export function createTableStatements({ tables, indexes, records, queries }: TableStatementsDeps) {
  async function insert(opened: OpenTable, statement: Extract<Statement, { kind: 'insert' }>): Promise<Answer> {
    indexes.checkWords(opened, statement.reverseIndex)
    const done = await records.insert(opened, statement.key, statement.document)
    if (done) await indexes.addWords(opened, statement.reverseIndex)
    return changeAnswer(done ? 0 : 1)
  }

  return {
    /** Whether `D.T` may name a table of database D. */
    knows: (database: string): boolean => tables.has(database),

    async run(database: string, statement: Statement, query: TableQuery, on: QueryClickHouse): Promise<Answer> {
      const source = sourceOf(statement)
      const opened = tables.find(source.schema ?? database, source.name)
      switch (statement.kind) {
        case 'rows':
          return rowsAnswer(await queries.rows(opened, statement, query, on))
        case 'count':
          return countAnswer(await queries.count(opened, statement, on))
        case 'insert':
          return insert(opened, statement)
        case 'update':
          return changeAnswer(await queries.update(opened, statement, on))
        case 'delete':
          return changeAnswer(await queries.remove(opened, statement, on))
        default:
          throw new PlacedRefusal(source.at, `${statement.kind} goes with streams, ${source.name} is a table`)
      }
    },
  }
}

export type TableStatements = ReturnType<typeof createTableStatements>
