/** A filter behind a node or a relation: `{age > 20 AND city = Rome AND DATE_YEAR($born+0) = 2022}`. */
import type { Filter, Formula, Property } from '../../ast.ts'
import type { Cursor } from '../cursor.ts'
import { parseFormula } from '../formula.ts'
import { parseComparisons } from '../value.ts'

/** The operand before the operator, an expression perhaps. */
const term = /(?:\$"[^"]*"|\$'[^']*'|[^=<>!~"'{}])+/y
const property = /[^\s(){}[\]"'=<>!~,;$]+/y

/** Undefined where no brace opens one. */
export function parseFilter(cursor: Cursor): Filter | undefined {
  if (!cursor.accept('{')) return undefined
  const filter = [...parseComparisons(cursor, parseTerm(cursor), 'properties')]
  while (cursor.acceptKeyword('AND')) filter.push(...parseComparisons(cursor, parseTerm(cursor), 'properties'))
  if (cursor.seesKeyword('OR')) throw cursor.refusal('a filter has no OR: its terms are joined by AND')
  cursor.expect('}', '; terms are joined by AND, and a value with blanks goes in quotes')
  return filter
}

function parseTerm(cursor: Cursor): Property | Formula {
  if (cursor.seesQuote) return { kind: 'property', name: cursor.takeQuoted().value }
  const text = cursor.source.match(term, cursor.offset)
  if (/[$(]/.test(text)) return parseFormula(cursor, text.trimEnd())
  const name = cursor.takeWord(property)
  if (name === '') throw cursor.unexpected(['a property', 'an expression over $property'])
  return { kind: 'property', name }
}
