import type { Event } from '../../../base/json.ts'
import type { ComputedAttribute } from '../../../sql/schema/schema.ts'
import type { ReadInput } from './inputs.ts'

/** A finite number or an integer. */
export type Numeric = number | bigint

/** A result before it is turned to the declared type: undefined, NaN and infinities mean missing. */
export type Evaluate = (event: Event) => unknown
/** Made once per computed attribute. */
export type Operation = (attribute: ComputedAttribute, readInput: ReadInput) => Evaluate

export const isNumeric = (value: unknown): value is Numeric => typeof value === 'number' || typeof value === 'bigint'

export const toNumber = (value: unknown): number | undefined => {
  if (typeof value === 'number') return value
  return typeof value === 'bigint' ? Number(value) : undefined
}

/** Undefined for values that have no text of their own: missing, objects, arrays. */
export const toText = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value
  return isNumeric(value) || typeof value === 'boolean' ? String(value) : undefined
}
