/** `RETURN items [EXCLUDE_GROUPBY(col, ...)] [WHERE cond] [SORT_ASC|SORT_DESC[_QLEX] col] [LIMIT n]`, RETURN already taken. */
import type { ColumnName, Returning, Sort } from '../ast.ts'
import { parseColumn } from './column.ts'
import { parseCondition } from './condition.ts'
import type { Cursor } from './cursor.ts'
import { parseItems } from './items.ts'
import { sortWords } from './keywords.ts'

export function parseReturning(cursor: Cursor): Returning {
  const items = cursor.accept('*') ? '*' : parseItems(cursor)
  const exclude = beginsClause(cursor, 'EXCLUDE_GROUPBY') ? parseExcluded(cursor) : undefined
  const where = beginsClause(cursor, 'WHERE') ? parseCondition(cursor) : undefined
  return { items, ...(exclude && { exclude }), ...(where && { where }), ...parseOrder(cursor) }
}

/** `[SORT_ASC|SORT_DESC[_QLEX] col] [LIMIT n]` */
export function parseOrder(cursor: Cursor): { sort?: Sort; limit?: number } {
  const sort = parseSort(cursor)
  const limit = beginsClause(cursor, 'LIMIT') ? cursor.expectCount('how many rows there are at most') : undefined
  return { ...(sort && { sort }), ...(limit !== undefined && { limit }) }
}

/** Published clients write a comma before a clause. */
function beginsClause(cursor: Cursor, keyword: string): boolean {
  if (cursor.sees(',') && !cursor.seesKeywordBehindComma(keyword)) return false
  cursor.accept(',')
  return cursor.acceptKeyword(keyword)
}

function parseExcluded(cursor: Cursor): readonly ColumnName[] {
  cursor.expect('(')
  const columns = [parseColumn(cursor)]
  while (cursor.accept(',')) columns.push(parseColumn(cursor))
  cursor.expect(')')
  return columns
}

function parseSort(cursor: Cursor): Sort | undefined {
  const word = sortWords.find((each) => beginsClause(cursor, each))
  if (word === undefined) return undefined
  const column = parseColumn(cursor)
  return { column, descending: word.startsWith('SORT_DESC') }
}
