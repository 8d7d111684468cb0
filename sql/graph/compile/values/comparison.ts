/**
 * Comparisons in SQL. Numbers compare with numbers and texts with texts, by bytes; a mixed pair matches `!=` alone, and
 * a missing value matches nothing but `~ NA`.
 */
import type { Params } from '../../../query/compile/condition.ts'
import type { Comparison, Operator, Reference, Value } from '../../ast.ts'
import { amountOf, type Cell, isText, isThere, jsonOf, numberOf, textOf } from './cell.ts'
import { microsecondsOf } from './dates.ts'

type Test = Pick<Comparison<unknown>, 'operator' | 'value'>
/** The cell that a value stands for. */
export type CellOf = (reference: Reference) => Cell

/** As a UInt8, never NULL. */
export function compileComparison(cell: Cell, { operator, value }: Test, params: Params, cellOf: CellOf): string {
  if (value.kind === 'reference') return compareCells(cell, operator, cellOf(value))
  if (value.kind === 'missing') {
    const there = cell.isGroup ? `${cell.sql} != '"NULL"'` : isThere(cell)
    return operator === '~' ? `NOT (${there})` : `(${there})`
  }
  if (operator === '~' || operator === '!~') {
    const found = occurs(textOf(cell), value, params)
    return `(${isThere(cell)} AND ${operator === '~' ? found : `NOT ${found}`})`
  }
  const same =
    value.kind === 'number' ? numbers(cell, operator, value.text, params) : texts(cell, operator, value, params)
  return operator === '!=' ? `(${isThere(cell)} AND ${same})` : same
}

/** A date's text beside an amount is an amount too. */
export function compileFormulaComparison(amount: string, test: Test, params: Params, cellOf: CellOf): string {
  const cell: Cell = { kind: 'number', sql: amount }
  const { operator, value } = test
  if (value.kind === 'reference' && operator !== '~' && operator !== '!~') {
    const other = cellOf(value)
    const otherwise = operator === '!=' ? `(isNotNull(${amount}) AND ${isThere(other)})` : '0'
    return `ifNull(${amount} ${operator} ${amountOf(other)}, ${otherwise})`
  }
  if (value.kind !== 'text' || operator === '~' || operator === '!~')
    return compileComparison(cell, test, params, cellOf)
  const date = microsecondsOf(params.add(value.text, 'String'))
  const otherwise = operator === '!=' ? `isNotNull(${amount})` : '0'
  return `ifNull(if(isNull(${date}), ${otherwise}, ${amount} ${operator} ${date}), 0)`
}

/** Numbers with numbers, texts with texts; lists and objects are equal or not. Large whole numbers keep their digits. */
function compareCells(left: Cell, operator: Operator, right: Cell): string {
  const areThere = `${isThere(left)} AND ${isThere(right)}`
  if (operator === '~' || operator === '!~') {
    return `(${areThere} AND position(${textOf(left)}, ${textOf(right)}) ${operator === '~' ? '>' : '='} 0)`
  }
  if (left.kind === 'text' && right.kind === 'text') return `(${left.sql} ${operator} ${right.sql})`
  const [one, other] = [numberOf(left), numberOf(right)]
  const isEqual = operator === '=' || operator === '!='
  const compared = [
    `isNotNull(${one}) AND isNotNull(${other}), ${numbersOf(left, operator, right)}`,
    `${isText(left)} AND ${isText(right)}, ${textOf(left)} ${operator} ${textOf(right)}`,
    isEqual ? `${jsonOf(left)} ${operator} ${jsonOf(right)}` : '0',
  ]
  return `(${areThere} AND multiIf(${compared.join(', ')}))`
}

function numbersOf(left: Cell, operator: Operator, right: Cell): string {
  const asDoubles = `ifNull(${numberOf(left)} ${operator} ${numberOf(right)}, 0)`
  const [one, other] = [wholeOf(left), wholeOf(right)]
  if (one === undefined || other === undefined) return asDoubles
  return `if(isNull(${one}) OR isNull(${other}), ${asDoubles}, ifNull(${one} ${operator} ${other}, 0))`
}

/** Nullable(Int256); undefined for a cell that is a double or a text. */
function wholeOf({ kind, sql }: Cell): string | undefined {
  if (kind === 'json') return `toInt256OrNull(${sql})`
  return kind === 'count' ? `toInt256(${sql})` : undefined
}

/** A value that the statement says. */
type Said = Exclude<Value, { kind: 'missing' | 'reference' }>

const occurs = (text: string, value: Said, params: Params): string =>
  value.kind === 'starts'
    ? `startsWith(${text}, ${params.add(value.text, 'String')})`
    : `(position(${text}, ${params.add(value.text, 'String')}) > 0)`

/** Beyond 2^53 doubles are some apart, and an Int256 has 76 digits at least. */
const isLarge = (text: string): boolean => /^[+-]?\d{1,76}$/.test(text) && !Number.isSafeInteger(Number(text))

function numbers(cell: Cell, operator: Operator, text: string, params: Params): string {
  const otherwise = operator === '!=' ? '1' : '0'
  const asDouble = `ifNull(${numberOf(cell)} ${operator} ${params.add(Number(text), 'Float64')}, ${otherwise})`
  if (cell.kind !== 'json' || !isLarge(text)) return asDouble
  const whole = `toInt256OrNull(${cell.sql})`
  return `if(isNull(${whole}), ${asDouble}, ifNull(${whole} ${operator} toInt256(${params.add(text.replace('+', ''), 'String')}), 0))`
}

/** Text that JSON writes in one form alone: ASCII without the characters that may be escaped, and no word of JSON. */
const isPlain = (text: string): boolean => /^[ !#-.0-[\]-~]*$/.test(text) && text !== 'true' && text !== 'false'

function texts(cell: Cell, operator: Operator, value: Said, params: Params): string {
  if (cell.kind === 'json' && value.kind === 'text' && (operator === '=' || operator === '!=') && isPlain(value.text)) {
    return `(${cell.sql} ${operator} ${params.add(JSON.stringify(value.text), 'String')})`
  }
  const text = textOf(cell)
  const literal = params.add(value.text, 'String')
  const compared = value.kind === 'starts' ? starts(text, operator, literal) : `${text} ${operator} ${literal}`
  return operator === '!=' ? `(NOT ${isText(cell)} OR ${compared})` : `(${isText(cell)} AND ${compared})`
}

/** A start is before all that starts with it. */
function starts(text: string, operator: Operator, literal: string): string {
  if (operator === '=') return `startsWith(${text}, ${literal})`
  return operator === '!=' ? `NOT startsWith(${text}, ${literal})` : `${text} ${operator} ${literal}`
}
