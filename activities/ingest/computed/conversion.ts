import type { AttributeType } from '../../../sql/schema/schema.ts'
import { toNumber, toText, type Value } from './values.ts'

const leastInt64 = -(2n ** 63n)
const mostInt64 = 2n ** 63n - 1n

/** A number where it is exact as one. */
const int64 = (value: bigint): number | bigint | undefined => {
  const number = Number(value)
  if (Number.isSafeInteger(number)) return number
  return value >= leastInt64 && value <= mostInt64 ? value : undefined
}

const long = (value: unknown): number | bigint | undefined => {
  if (typeof value === 'bigint') return int64(value)
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  const whole = Math.trunc(value)
  // The sum turns -0 into 0.
  return Number.isSafeInteger(whole) ? whole + 0 : int64(BigInt(whole))
}

const double = (value: unknown): number | undefined => {
  const number = toNumber(value)
  return Number.isFinite(number) ? number : undefined
}

const string = (value: unknown): string | undefined =>
  typeof value === 'number' && !Number.isFinite(value) ? undefined : toText(value)

/** A result as the declared type has it, undefined where it has no such value. A LONG is cut toward zero. */
export const conversions: Readonly<Record<AttributeType, (value: unknown) => Value | undefined>> = {
  LONG: long,
  DOUBLE: double,
  STRING: string,
  BOOL: (value) => (typeof value === 'boolean' ? value : undefined),
  OBJECT: () => undefined,
}
