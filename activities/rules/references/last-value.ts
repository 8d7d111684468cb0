import { parseJson } from '../../../base/json.ts'
import type { AttributeType } from '../../../sql/schema/schema.ts'
import type { Scalar } from '../../events/values.ts'
import { fromText } from './seed.ts'

/** The `_pk` of an event as text, and its value; an OBJECT's as JSON text. Null where there was no value. */
export type EndValue = readonly [pk: string, value: Scalar] | null

/** Whole numbers from 0 as text. */
const isGreater = (pk: string, other: string): boolean =>
  pk.length === other.length ? pk > other : pk.length > other.length

/** Of two events of one time the later one to come is the last. */
export const withLater = (state: EndValue, value: Scalar, pk: string): EndValue =>
  state !== null && isGreater(state[0], pk) ? state : [pk, value]

/** Of two events of one time the earlier one to come is the first. */
export const withEarlier = (state: EndValue, value: Scalar, pk: string): EndValue =>
  state === null || isGreater(state[0], pk) ? [pk, value] : state

/** Goes on with the value in JSON, and its event's place: 128 bits of which the upper half is the `_pk`. */
export function endFrom(json: string, place: string, type: AttributeType): EndValue {
  if (json === 'null') return null
  const value =
    type === 'STRING' ? String(parseJson(json, 'the value')) : type === 'OBJECT' ? json : fromText(type, json)
  return [String(Buffer.from(place, 'hex').readBigInt64LE(8)), value as Scalar]
}

export function valueOfEnd(state: EndValue, type: AttributeType): unknown {
  if (state === null) return undefined
  return type === 'OBJECT' ? parseJson(String(state[1]), 'the value') : state[1]
}
