import type { Operator } from '../../sql/query/ast.ts'
import type { Scalar } from './values.ts'

const isNumber = (value: Scalar): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'

/** Less than, equal to or more than 0; NaN where the two cannot be compared. */
function order(left: Scalar, right: Scalar): number {
  if (typeof left === 'string') return typeof right === 'string' ? textOrder(left, right) : Number.NaN
  if (isNumber(left) !== isNumber(right) || typeof right === 'string') return Number.NaN
  return left < right ? -1 : left > right ? 1 : 0
}

/** ClickHouse orders texts by their bytes: it differs from the order of UTF-16 where a text has surrogates. */
function textOrder(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length)
  for (let at = 0; at < shorter; at++) {
    const [a, b] = [left.charCodeAt(at), right.charCodeAt(at)]
    if (a !== b) return byBytes(a) - byBytes(b)
  }
  return left.length - right.length
}

/** Surrogates stand for characters behind all others. */
const byBytes = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)

type Compare<Value> = (left: Value, right: Value) => boolean

const comparison =
  (ofNumbers: Compare<number>, ofOrder: (found: number) => boolean): Compare<Scalar> =>
  (left, right) =>
    typeof left === 'number' && typeof right === 'number' ? ofNumbers(left, right) : ofOrder(order(left, right))

/**
 * Whether two values satisfy a comparison. Numbers compare as numbers, exactly: a bigint is an integer beyond 2^53, and a
 * number any other. Values of different kinds satisfy none, `!=` included.
 */
export const comparisons: Readonly<Record<Operator, Compare<Scalar>>> = {
  '=': comparison(
    (left, right) => left === right,
    (found) => found === 0,
  ),
  '!=': comparison(
    (left, right) => left !== right,
    (found) => found < 0 || found > 0,
  ),
  '<': comparison(
    (left, right) => left < right,
    (found) => found < 0,
  ),
  '<=': comparison(
    (left, right) => left <= right,
    (found) => found <= 0,
  ),
  '>': comparison(
    (left, right) => left > right,
    (found) => found > 0,
  ),
  '>=': comparison(
    (left, right) => left >= right,
    (found) => found >= 0,
  ),
}

export const mirrored: Readonly<Record<Operator, Operator>> = {
  '=': '=',
  '!=': '!=',
  '>': '<',
  '>=': '<=',
  '<': '>',
  '<=': '>=',
}

/** The same of values that may be missing: such a one satisfies nothing. */
export function compileComparison(
  operator: Operator,
): (left: Scalar | undefined, right: Scalar | undefined) => boolean {
  const satisfies = comparisons[operator]
  return (left, right) => left !== undefined && right !== undefined && satisfies(left, right)
}

/** A whole number beyond 2^53 is written with all its digits, as it is where it comes as a bigint. */
const numberText = (value: number): string =>
  Number.isInteger(value) && !Number.isSafeInteger(value) ? String(BigInt(value)) : String(value + 0)

function partOf(value: Scalar): string {
  if (typeof value === 'string') return `s${value.length}:${value}`
  return typeof value === 'boolean' ? (value ? 't' : 'f') : `n${typeof value === 'bigint' ? value : numberText(value)}`
}

/** One text for values that are equal one by one, and for those alone. */
export function keyText(values: readonly Scalar[]): string {
  let text = ''
  for (const value of values) text += text === '' ? partOf(value) : `|${partOf(value)}`
  return text
}

/** The text of the values that are read, one reader after the other; undefined where one is missing. */
export function compileKey<Of>(readers: readonly ((of: Of) => Scalar | undefined)[]): (of: Of) => string | undefined {
  const [only] = readers
  if (readers.length === 1 && only) {
    return (of) => {
      const value = only(of)
      return value === undefined ? undefined : partOf(value)
    }
  }
  return (of) => {
    const values: Scalar[] = []
    for (const read of readers) {
      const value = read(of)
      if (value === undefined) return undefined
      values.push(value)
    }
    return keyText(values)
  }
}
