/** The items of RETURN: members, aggregates and formulas, separated by commas or blanks. */

import type { AggregateKind, ColumnName, Comparison, Item } from '../ast.ts'
import { columnWord, parseColumn } from './column.ts'
import type { Cursor } from './cursor.ts'
import { parseQuotedFormula } from './formula.ts'
import { clauses, refuseLowerCase } from './keywords.ts'
import { expectAlias } from './pattern/alias.ts'
import { parseComparisons } from './value.ts'

const aggregateKinds = [
  'COUNT',
  'UCOUNT',
  'SUM',
  'AVG',
  'MIN',
  'MAX',
  'STD',
  'SKEW',
  'EXKURT',
] as const satisfies readonly AggregateKind[]

const expected = ['alias.property', 'an aggregate such as COUNT(*)', 'MATH_EXP("...")', "'*'"]

export function parseItems(cursor: Cursor): readonly Item[] {
  const items = [parseItem(cursor)]
  while (goesOn(cursor)) items.push(parseItem(cursor))
  return items
}

/** Ends at a clause, the end, `;` or `++`; a comma goes on unless a clause stands behind it. */
function goesOn(cursor: Cursor): boolean {
  if (cursor.sees(',')) {
    if (clauses.some((keyword) => cursor.seesKeywordBehindComma(keyword))) return false
    return cursor.accept(',')
  }
  return !(cursor.isAtEnd || cursor.sees(';') || cursor.sees('++') || clauses.some((word) => cursor.seesKeyword(word)))
}

function parseItem(cursor: Cursor): Item {
  const at = cursor.position
  const aggregate = cursor.acceptCall('UCOUNT_ABS') ? 'UCOUNT' : aggregateKinds.find((kind) => cursor.acceptCall(kind))
  const item = aggregate ? parseAggregate(cursor, aggregate, at) : (parseFormulaItem(cursor, at) ?? parseMember(cursor))
  const as = cursor.acceptKeyword('AS') ? parseColumn(cursor, 'a name for the column') : undefined
  return { ...item, ...(as && { as }) }
}

function parseFormulaItem(cursor: Cursor, at: ColumnName['at']): Item | undefined {
  if (!cursor.acceptCall('MATH_EXP')) return undefined
  if (!cursor.seesQuote) throw cursor.unexpected(['an expression in quotes, such as "($A+$B)"'])
  const formula = parseQuotedFormula(cursor)
  cursor.expect(')')
  return { kind: 'formula', formula, at }
}

function parseAggregate(cursor: Cursor, aggregate: AggregateKind, at: ColumnName['at']): Item {
  const of = cursor.accept('*') ? undefined : parseOperand(cursor)
  if (of === undefined && aggregate !== 'COUNT') {
    throw cursor.source.refusal(at.offset, `${aggregate} takes alias.property; COUNT alone takes '*'`)
  }
  const where = parseWhere(cursor)
  cursor.expect(')')
  return { kind: 'aggregate', aggregate, ...(of && { of }), ...(where && { where }), at }
}

function parseOperand(cursor: Cursor) {
  const at = cursor.position
  const alias = expectAlias(cursor, 'alias.property')
  return { alias, ...(cursor.accept('.') && { name: parseMemberName(cursor) }), at }
}

/** `{col op value AND ...}` behind the member that is counted. */
function parseWhere(cursor: Cursor): readonly Comparison<ColumnName>[] | undefined {
  if (!cursor.accept('{')) return undefined
  const where = [...parseComparisons(cursor, parseColumn(cursor), 'columns')]
  while (cursor.acceptKeyword('AND')) where.push(...parseComparisons(cursor, parseColumn(cursor), 'columns'))
  cursor.expect('}')
  return where
}

function parseMember(cursor: Cursor): Item {
  const at = cursor.position
  if (cursor.sees('*')) throw cursor.refusal("'*' stands alone in RETURN")
  const { alias, name } = parseOperandWithName(cursor)
  return { kind: 'member', member: { alias, name, at } }
}

function parseOperandWithName(cursor: Cursor) {
  if (cursor.source.match(/\w+(?!\s*\.)\b/y, cursor.offset)) refuseLowerCase(cursor)
  const alias = cursor.takeWord(/[\p{L}_][\p{L}\p{N}_]*/uy)
  if (alias === '') throw cursor.unexpected(expected)
  if (!cursor.accept('.')) throw cursor.unexpected(["'.'"], '; an item is written alias.property')
  return { alias, name: parseMemberName(cursor) }
}

function parseMemberName(cursor: Cursor): string {
  const name = cursor.seesQuote ? cursor.takeQuoted().value : cursor.takeWord(columnWord)
  if (name === '') throw cursor.unexpected(['a property, name, label', 'rel'])
  return name
}
