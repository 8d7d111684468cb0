import type { Event } from '../../base/json.ts'
import type { Operator } from '../../sql/query/ast.ts'
import type { AttributeType, Stream } from '../../sql/schema/schema.ts'
import { readMember } from '../ingest/computed/members.ts'

/** A value that comparisons take. */
export type Scalar = number | bigint | string | boolean

export type ReadScalar = (event: Event) => Scalar | undefined

/** A value as the column of its attribute has it; undefined where the column would not take it. */
const asStored: Readonly<Record<AttributeType, (value: unknown) => Scalar | undefined>> = {
  STRING: (value) => (typeof value === 'string' ? value : undefined),
  LONG: (value) =>
    typeof value === 'bigint' ? narrow(value) : Number.isInteger(value) ? Number(value) + 0 : undefined,
  DOUBLE: (value) => (typeof value === 'number' ? value + 0 : typeof value === 'bigint' ? Number(value) : undefined),
  BOOL: (value) => (typeof value === 'boolean' ? value : undefined),
  // An attribute that a record brings has whatever type the record has.
  OBJECT: (value) =>
    typeof value === 'object' || value === undefined
      ? undefined
      : typeof value === 'bigint'
        ? narrow(value)
        : (value as Scalar),
}

/** A number where it is exact as one. */
function narrow(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

export const typeOf = (stream: Stream, name: string): AttributeType =>
  stream.attributes.find((attribute) => attribute.name === name)?.type ?? (name === '_pk' ? 'LONG' : 'STRING')

/** Reads an attribute of a stream's events as it is stored. */
export function readStored(stream: Stream, name: string): ReadScalar {
  const [read, convert] = [readMember(name), asStored[typeOf(stream, name)]]
  return (event) => convert(read(event))
}

/** ClickHouse orders texts by their bytes: it differs from the order of UTF-16 where a text has surrogates. */
function isTextLess(left: string, right: string): boolean {
  const length = Math.min(left.length, right.length)
  for (let at = 0; at < length; at++) {
    const [a, b] = [left.charCodeAt(at), right.charCodeAt(at)]
    if (a !== b) return byBytes(a) < byBytes(b)
  }
  return left.length < right.length
}

/** Surrogates stand for characters behind all others. */
const byBytes = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)

const isLess = (left: Scalar, right: Scalar): boolean =>
  typeof left === 'string' && typeof right === 'string' ? isTextLess(left, right) : left < right

const kinds = { number: 'number', bigint: 'number', string: 'text', boolean: 'truth' } as const
const kindOf = (value: Scalar): string => kinds[typeof value as keyof typeof kinds]

const isEqual = (left: Scalar, right: Scalar): boolean =>
  typeof left === typeof right ? left === right : !(left < right) && !(left > right)

const comparisons: Readonly<Record<Operator, (left: Scalar, right: Scalar) => boolean>> = {
  '=': isEqual,
  '!=': (left, right) => !isEqual(left, right),
  '<': isLess,
  '<=': (left, right) => !isLess(right, left),
  '>': (left, right) => isLess(right, left),
  '>=': (left, right) => !isLess(left, right),
}

const ofNumbers: Readonly<Record<Operator, (left: number, right: number) => boolean>> = {
  '=': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
}

/** Numbers are compared with numbers, texts with texts: a value of another kind, and a missing one, satisfies nothing. */
export function compileComparison(
  operator: Operator,
): (left: Scalar | undefined, right: Scalar | undefined) => boolean {
  const [compare, compareNumbers] = [comparisons[operator], ofNumbers[operator]]
  return (left, right) => {
    if (typeof left === 'number' && typeof right === 'number') return compareNumbers(left, right)
    return left !== undefined && right !== undefined && kindOf(left) === kindOf(right) && compare(left, right)
  }
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
