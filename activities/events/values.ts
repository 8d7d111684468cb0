import type { Json } from '../../base/json.ts'
import type { AttributeType } from '../../sql/schema/schema.ts'

/** A value that comparisons take; a bigint is an integer that no double holds exactly. */
export type Scalar = number | bigint | string | boolean

/** The types of attributes that have a column. */
export type ColumnType = Exclude<AttributeType, 'OBJECT'>

const minInt64 = -(2n ** 63n)
const maxInt64 = 2n ** 63n - 1n

/** No column keeps -0 apart. Any other number stays the object that it is: a sum would make a new one. */
const unsigned = (value: number): number => (value === 0 ? 0 : value)

function long(value: Json | undefined): number | bigint | undefined {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return unsigned(value)
    return Number.isInteger(value) ? int64(BigInt(value)) : undefined
  }
  return typeof value === 'bigint' ? int64(value) : undefined
}

function int64(value: bigint): number | bigint | undefined {
  const number = Number(value)
  if (Number.isSafeInteger(number)) return number
  return value < minInt64 || value > maxInt64 ? undefined : value
}

function double(value: Json | undefined): number | undefined {
  if (typeof value === 'bigint') return double(Number(value))
  return typeof value === 'number' && Number.isFinite(value) ? unsigned(value) : undefined
}

/** A member's value as the column of its attribute has it; undefined where it is missing, or the column does not take it. */
export const columnValues = {
  STRING: (value) => (typeof value === 'string' ? value : undefined),
  LONG: long,
  DOUBLE: double,
  BOOL: (value) => (typeof value === 'boolean' ? value : undefined),
} as const satisfies Readonly<Record<ColumnType, (value: Json | undefined) => Scalar | undefined>>

/** The JSON text of a member's value in its column; undefined where the column does not take it. */
export type EncodeValue = (value: Json) => string | undefined

export const encoders: Readonly<Record<ColumnType, EncodeValue>> = {
  STRING: (value) => (typeof value === 'string' ? JSON.stringify(value) : undefined),
  LONG: (value) => {
    const number = long(value)
    return number === undefined ? undefined : String(number)
  },
  DOUBLE: (value) => {
    const number = double(value)
    return number === undefined ? undefined : String(number)
  },
  BOOL: (value) => (typeof value === 'boolean' ? String(value) : undefined),
}

export const maxUInt64 = 2n ** 64n - 1n

/** The scalar that the JSON text of a member without a column says: an integer beyond 64 bits is a double there. */
export function jsonScalar(value: Json | undefined): Scalar | undefined {
  if (typeof value === 'object' || value === undefined) return undefined
  if (typeof value === 'bigint') return value < minInt64 || value > maxUInt64 ? Number(value) : value
  // Below 1e21 an integer is written in digits, which are those of its shortest text.
  const isDigits = typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 1e21
  return isDigits && !Number.isSafeInteger(value) ? jsonScalar(BigInt(String(value))) : value
}

/** A type by its word, with the name that it has on the wire. */
export const expected: Readonly<Record<AttributeType, string>> = {
  STRING: 'text in quotes (STRING)',
  LONG: 'an integer within 64 bits (LONG)',
  DOUBLE: 'a number (DOUBLE)',
  BOOL: 'a boolean, true or false (BOOL)',
  OBJECT: 'json, an object or an array (OBJECT)',
}

/** A value in a message: short, and by its JSON name. */
export function shown(value: Json): string {
  if (Array.isArray(value)) return 'an array'
  if (value !== null && typeof value === 'object') return 'an object'
  const text = typeof value === 'bigint' ? String(value) : JSON.stringify(value)
  const kind =
    typeof value === 'string' ? 'the string ' : typeof value === 'boolean' || value === null ? '' : 'the number '
  return `${kind}${text.length > 60 ? `${text.slice(0, 57)}...` : text}`
}
