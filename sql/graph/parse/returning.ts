import type { ColumnName, Condition, Returning, Sort } from '../ast.ts'
import { parseColumn } from './column.ts'
import type { Cursor } from './cursor.ts'
import { parseItems } from './items.ts'
import { sortWords } from './keywords.ts'
import { parseComparisons } from './value.ts'

/** `RETURN items [EXCLUDE_GROUPBY(col, ...)] [WHERE cond] [SORT_ASC|SORT_DESC[_QLEX] col] [LIMIT n]`, RETURN already taken. */

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

/** The condition of WHERE: `col op value` under AND, OR and brackets; AND binds tighter. */

const deepest = 64

function parseCondition(cursor: Cursor, depth = 0): Condition {
  return joined('or', cursor, () => joined('and', cursor, () => parseTerm(cursor, depth)))
}

function joined(kind: 'and' | 'or', cursor: Cursor, parse: () => Condition): Condition {
  const terms = [parse()]
  while (cursor.acceptKeyword(kind.toUpperCase())) terms.push(parse())
  return all(kind, terms)
}

/** One term is itself, and terms of the same kind stand side by side. */
function all(kind: 'and' | 'or', terms: readonly Condition[]): Condition {
  const [first] = terms
  if (first && terms.length === 1) return first
  return { kind, terms: terms.flatMap((term) => (term.kind === kind ? term.terms : [term])) }
}

function parseTerm(cursor: Cursor, depth: number): Condition {
  if (!cursor.sees('(')) {
    const comparisons = parseComparisons(cursor, parseColumn(cursor), 'columns')
    return all(
      'and',
      comparisons.map((comparison) => ({ kind: 'compare', ...comparison })),
    )
  }
  if (depth === deepest) throw cursor.refusal(`brackets are nested more than ${deepest} deep`)
  cursor.expect('(')
  const condition = parseCondition(cursor, depth + 1)
  cursor.expect(')')
  return condition
}
