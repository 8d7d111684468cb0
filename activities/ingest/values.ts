import type { Json } from '../../base/json.ts'
import type { AttributeType } from '../../sql/schema/schema.ts'

/** Turns a member into the text of its column; undefined where the value is not of the type. */
export type EncodeValue = (value: Json) => string | undefined

const minInt64 = -(2n ** 63n)
const greatestInt64 = 2n ** 63n - 1n

export function encodeLong(value: Json): string | undefined {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return value === 0 ? '0' : String(value)
    return Number.isInteger(value) ? encodeLong(BigInt(value)) : undefined
  }
  if (typeof value !== 'bigint') return undefined
  return value < minInt64 || value > greatestInt64 ? undefined : String(value)
}

function encodeDouble(value: Json): string | undefined {
  const number = typeof value === 'bigint' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? String(number) : undefined
}

/** The scalar types by the JSON values that they take. */
export const encoders: Readonly<Record<Exclude<AttributeType, 'OBJECT'>, EncodeValue>> = {
  STRING: (value) => (typeof value === 'string' ? JSON.stringify(value) : undefined),
  LONG: encodeLong,
  DOUBLE: encodeDouble,
  BOOL: (value) => (typeof value === 'boolean' ? String(value) : undefined),
}

export const expected: Readonly<Record<AttributeType, string>> = {
  STRING: 'STRING (text in quotes)',
  LONG: 'LONG (a whole number within int64)',
  DOUBLE: 'DOUBLE (a number)',
  BOOL: 'BOOL (true or false)',
  OBJECT: 'OBJECT (an object or an array)',
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
