import type { ComputedAttribute } from '../../../sql/schema/schema.ts'

/** An event's members as its JSON gives them; an integer beyond 2^53 is a bigint. Absent and null both mean missing. */
export type Event = Record<string, unknown>

/** A finite number or an integer. */
export type Numeric = number | bigint
export type Value = Numeric | string | boolean

export type Read = (event: Event) => unknown
/** A result before it is turned to the declared type: undefined, NaN and infinities mean missing. */
export type Evaluate = (event: Event) => unknown
/** Made once per computed attribute. */
export type Operation = (attribute: ComputedAttribute) => Evaluate

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
