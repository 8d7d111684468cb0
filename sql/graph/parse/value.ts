/** Comparisons: `term op value`, where a second `op value` behind the first bounds the same term (`a > 20 < 90`). */
import type { Comparison, Operator, Reference, Value } from '../ast.ts'
import { columnWord } from './column.ts'
import type { Cursor } from './cursor.ts'

const operators = ['!=', '>=', '<=', '!~', '=', '<', '>', '~'] as const satisfies readonly Operator[]
const bareValue = /[^\s(){}[\]"'=<>!~,;]+/y
const number = /^[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?$/

const dollar = /\$(?=["'\p{L}_])/uy
const property = /^(?:([\p{L}_][\p{L}\p{N}_]*)\.)?([\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*)$/u
const aliasBeforeQuote = /^([\p{L}_][\p{L}\p{N}_]*)\.$/u

/** The names that `$` may stand before: columns in WHERE, properties in a filter. */
export type Named = 'columns' | 'properties'

export function parseComparisons<Left>(cursor: Cursor, left: Left, named: Named): Comparison<Left>[] {
  const found: Comparison<Left>[] = []
  for (;;) {
    const at = cursor.position
    const operator = operators.find((text) => cursor.accept(text))
    if (operator === undefined && found.length > 0) return found
    if (operator === undefined) throw cursor.unexpected(['= != > < >= <= ~', '!~'])
    found.push({ left, operator, value: parseValue(cursor, operator, named), at })
  }
}

function parseValue(cursor: Cursor, operator: Operator, named: Named): Value {
  const isMatch = operator === '~' || operator === '!~'
  if (cursor.seesQuote) {
    const { value, isPrefix } = cursor.takeQuoted()
    return isPrefix ? { kind: 'starts', text: value.slice(0, -2) } : { kind: 'text', text: value }
  }
  const at = cursor.position
  if (cursor.take(dollar) !== '') return { kind: 'reference', ...parseNamed(cursor, named), at }
  const text = cursor.takeWord(bareValue)
  if (text === '') throw cursor.unexpected(['a value'], '; text with blanks or signs in it goes in quotes')
  if (isMatch && text === 'NA') return { kind: 'missing' }
  if (number.test(text)) return { kind: 'number', text }
  return text.endsWith('$%') ? { kind: 'starts', text: text.slice(0, -2) } : { kind: 'text', text, at }
}

/** Reads the name behind `$`. A property whose name has other signs stands in quotes, as a column with blanks does. */
function parseNamed(cursor: Cursor, named: Named): Pick<Reference, 'alias' | 'name'> {
  if (cursor.seesQuote) return { name: cursor.takeQuoted().value }
  if (named === 'columns') return { name: cursor.takeWord(columnWord) }
  const begin = cursor.offset
  const text = cursor.takeWord(bareValue)
  const alias = aliasBeforeQuote.exec(text)?.[1]
  if (alias !== undefined && cursor.seesQuote) return { alias, name: cursor.takeQuoted().value }
  const [, before, name] = property.exec(text) ?? []
  if (name === undefined) {
    const forms = '$born, or $alias.born; one with other signs goes in quotes, $"two words"'
    throw cursor.source.refusal(begin, `a value is one property: ${forms}`)
  }
  return before === undefined ? { name } : { alias: before, name }
}
