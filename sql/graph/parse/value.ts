/** Comparisons: `term op value`, where a second `op value` behind the first bounds the same term (`a > 20 < 90`). */
import type { Comparison, Operator, Value } from '../ast.ts'
import type { Cursor } from './cursor.ts'

const operators = ['!=', '>=', '<=', '!~', '=', '<', '>', '~'] as const satisfies readonly Operator[]
const bareValue = /[^\s(){}[\]"'=<>!~,;]+/y
const number = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/

export function parseComparisons<Left>(cursor: Cursor, left: Left): Comparison<Left>[] {
  const found: Comparison<Left>[] = []
  for (;;) {
    const at = cursor.position
    const operator = operators.find((text) => cursor.accept(text))
    if (operator === undefined && found.length > 0) return found
    if (operator === undefined) throw cursor.unexpected(['= != > < >= <= ~', '!~'])
    found.push({ left, operator, value: parseValue(cursor, operator), at })
  }
}

function parseValue(cursor: Cursor, operator: Operator): Value {
  const isMatch = operator === '~' || operator === '!~'
  if (cursor.seesQuote) {
    const { value, isPrefix } = cursor.takeQuoted()
    return isPrefix ? { kind: 'starts', text: value.slice(0, -2) } : { kind: 'text', text: value }
  }
  const text = cursor.takeWord(bareValue)
  if (text === '') throw cursor.unexpected(['a value'], '; text with blanks or signs in it goes in quotes')
  if (isMatch && text === 'NA') return { kind: 'missing' }
  if (number.test(text)) return { kind: 'number', text }
  return text.endsWith('$%') ? { kind: 'starts', text: text.slice(0, -2) } : { kind: 'text', text }
}
