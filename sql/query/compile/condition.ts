import { isoMicroseconds } from '../../../base/instant.ts'
import type { Refusal } from '../../../base/refusal.ts'
import { identifier } from '../../identifier.ts'
import type { AttributeType } from '../../schema/schema.ts'
import type { Comparison, Condition, Like, Literal, Operand } from '../ast.ts'
import { PlacedRefusal } from '../placed-refusal.ts'
import { shown } from '../source-text.ts'

/** The column that a path of a condition stands for. `json` reaches into a column that holds JSON text. */
export type Place =
  | {
      readonly kind: 'column'
      readonly sql: string
      readonly type: Exclude<AttributeType, 'OBJECT'>
      /** Microseconds since 1970: an ISO 8601 text stands for its number. */
      readonly isTime?: boolean
    }
  | { readonly kind: 'json'; readonly column: string; readonly path: readonly string[] }

export type Resolve = (path: string, comparison: Comparison | Like) => Place

/** Values of a statement under construction; `add` gives the placeholder that stands for one. */
export function createParams() {
  const params: Record<string, string | number> = {}
  const add = (value: string | number, type: 'String' | 'Int64' | 'UInt64' | 'Float64'): string => {
    const name = `p${Object.keys(params).length}`
    params[name] = value
    return `{${name}:${type}}`
  }
  return { params, add }
}

export type Params = ReturnType<typeof createParams>

/**
 * A condition as SQL. A missing value matches no comparison, `!=` included: there is no NOT in the language, so the NULL
 * that SQL gives then is as good as false.
 */
export function compileCondition(condition: Condition, resolve: Resolve, params: Params): string {
  if ('terms' in condition) {
    return `(${condition.terms.map((term) => compileCondition(term, resolve, params)).join(condition.kind === 'and' ? ' AND ' : ' OR ')})`
  }
  const place = resolve(condition.path, condition)
  if (condition.kind === 'like') return compileLike(condition, place, params)
  if (condition.value.kind === 'attribute') return compareAttributes(condition, place, resolve, condition.value.path)
  return place.kind === 'column'
    ? compareColumn(condition, place, condition.value, params)
    : compareJson(condition, place, condition.value, params)
}

const refuse = ({ at, path }: Comparison | Like, problem: string): Refusal =>
  new PlacedRefusal(at, `${path.length > 100 ? shown(path) : path} ${problem}`)

const described: Readonly<Record<Operand['kind'], string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  attribute: 'an attribute',
}

const wanted = {
  STRING: 'string',
  LONG: 'number',
  DOUBLE: 'number',
  BOOL: 'boolean',
} as const

function compareColumn(
  comparison: Comparison,
  { sql, type, isTime }: Extract<Place, { kind: 'column' }>,
  given: Literal,
  params: Params,
): string {
  const value = isTime && given.kind === 'string' ? timeLiteral(given) : given
  if (value === undefined) throw refuse(comparison, `is a time: ${timeWanted}`)
  if (value.kind !== wanted[type]) {
    throw refuse(
      comparison,
      `is ${type}: compare it with ${described[wanted[type]]}, not with ${described[value.kind]}`,
    )
  }
  const literal = type === 'DOUBLE' ? doubleOf(value, params) : literalOf(value, params)
  return `${sql} ${comparison.operator} ${literal}`
}

export const timeWanted = 'microseconds since 1970, or a text such as "2026-11-01T00:00:00Z"'

/** The microseconds of an ISO 8601 text; undefined for another text. */
export function timeLiteral({ value }: Extract<Literal, { kind: 'string' }>): Literal | undefined {
  const time = isoMicroseconds(value)
  return time === undefined ? undefined : { kind: 'number', text: String(time) }
}

const wholeNumber = /^[+-]?\d+$/

const fitsInt64 = (text: string): boolean => {
  const value = BigInt(text)
  return value >= -(2n ** 63n) && value < 2n ** 63n
}

export const isInt64 = (text: string): boolean =>
  wholeNumber.test(text) && text.length < 22 && fitsInt64(text.replace('+', ''))

const isUInt64 = (text: string): boolean => /^\+?\d{1,20}$/.test(text) && BigInt(text.replace('+', '')) < 2n ** 64n

/** Beyond any 64-bit integer: the double next to a greater one may equal it. */
const beyond = 1e30

function literalOf(value: Literal, params: Params): string {
  if (value.kind === 'string') return params.add(value.value, 'String')
  if (value.kind === 'boolean') return String(value.value)
  const text = /^[+-]?\d+\.0+$/.test(value.text) ? value.text.replace(/\.0+$/, '') : value.text
  if (!wholeNumber.test(text)) return params.add(Number(text), 'Float64')
  const digits = text.replace('+', '').replace(/^(-?)0+(?=\d)/, '$1')
  if (isInt64(digits)) return params.add(digits, 'Int64')
  if (isUInt64(digits)) return params.add(digits, 'UInt64')
  return params.add(digits.startsWith('-') ? -beyond : beyond, 'Float64')
}

/** Beyond 2^53 a double's shortest text is another integer than its value. */
const doubleOf = (value: Literal, params: Params): string =>
  value.kind === 'number' ? params.add(Number(value.text), 'Float64') : literalOf(value, params)

const deepest = 32
/** Each number in a path doubles its expression. */
const maxNumbers = 3
const arrayIndex = /^\d{1,9}$/

/**
 * The condition of `compare` on the value at a place, given the arguments by which JSON functions reach it. A number counts an
 * array's elements from 0; in an object it is a name.
 */
export function atPlace(
  { column, path }: Extract<Place, { kind: 'json' }>,
  comparison: Comparison | Like,
  params: Params,
  compare: (reached: string) => string,
): string {
  if (path.length > deepest) throw refuse(comparison, `reaches deeper than ${deepest} levels`)
  if (numbersIn(path) > maxNumbers) throw refuse(comparison, `has more than ${maxNumbers} numbers in its path`)
  return descend(column, path, params, compare)
}

const numbersIn = (path: readonly string[]): number => path.filter((part) => arrayIndex.test(part)).length

/** The same of a path that no query sent; undefined where it reaches too deep. */
export function atPath(
  column: string,
  path: readonly string[],
  params: Params,
  compare: (reached: string) => string,
): string | undefined {
  return path.length > deepest || numbersIn(path) > maxNumbers ? undefined : descend(column, path, params, compare)
}

function descend(
  reached: string,
  [part, ...rest]: readonly string[],
  params: Params,
  compare: (reached: string) => string,
): string {
  if (part === undefined) return compare(reached)
  const byName = descend(`${reached}, ${params.add(part, 'String')}`, rest, params, compare)
  if (!arrayIndex.test(part)) return byName
  const byIndex = descend(`${reached}, ${params.add(Number(part) + 1, 'Int64')}`, rest, params, compare)
  return `if(JSONType(${reached}) = 'Array', ${byIndex}, ${byName})`
}

function compareJson(
  comparison: Comparison,
  place: Extract<Place, { kind: 'json' }>,
  value: Literal,
  params: Params,
): string {
  const { operator } = comparison
  const literal = literalOf(value, params)
  return atPlace(place, comparison, params, (path) => {
    if (value.kind === 'string')
      return `(JSONType(${path}) = 'String' AND JSONExtractString(${path}) ${operator} ${literal})`
    if (value.kind === 'boolean')
      return `(JSONType(${path}) = 'Bool' AND JSONExtractBool(${path}) ${operator} ${literal})`
    return [
      `multiIf(JSONType(${path}) = 'Int64', JSONExtractInt(${path}) ${operator} ${literal}`,
      `JSONType(${path}) = 'UInt64', JSONExtractUInt(${path}) ${operator} ${literal}`,
      `JSONType(${path}) = 'Double', JSONExtractFloat(${path}) ${operator} ${doubleOf(value, params)}, false)`,
    ].join(', ')
  })
}

function compileLike(like: Like, place: Place, params: Params): string {
  const prefix = params.add(like.prefix, 'String')
  if (place.kind === 'json') {
    return atPlace(
      place,
      like,
      params,
      (path) => `(JSONType(${path}) = 'String' AND startsWith(JSONExtractString(${path}), ${prefix}))`,
    )
  }
  if (place.type !== 'STRING') throw refuse(like, `is ${place.type}: like goes with text`)
  return `startsWith(${place.sql}, ${prefix})`
}

function compareAttributes(comparison: Comparison, left: Place, resolve: Resolve, path: string): string {
  const right = resolve(path, comparison)
  if (left.kind !== 'column' || right.kind !== 'column' || wanted[left.type] !== wanted[right.type]) {
    throw refuse(comparison, `cannot be compared with ${path}: declare both, with types that go together`)
  }
  return `${left.sql} ${comparison.operator} ${right.sql}`
}

/** The place of a declared attribute's column. */
export const columnPlace = (name: string, type: Exclude<AttributeType, 'OBJECT'>): Place => ({
  kind: 'column',
  sql: identifier(name),
  type,
})
