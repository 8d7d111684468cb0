import { type Event, type Json, member, memberAt } from '../../../base/json.ts'
import { attributeOf } from '../../../sql/schema/columns.ts'
import type { AttributeType, Stream } from '../../../sql/schema/schema.ts'
import type { Scalar } from '../values.ts'
import { type Taken, timeOf } from './taken.ts'

/** Undefined where the value is missing. */
export type Read<Result = Scalar> = (taken: Taken) => Result | undefined

/** A value as a column of the type has it, undefined where it has none. */
const columnValues: Readonly<
  Record<Exclude<AttributeType, 'OBJECT'>, (value: Json | undefined) => Scalar | undefined>
> = {
  STRING: (value) => (typeof value === 'string' ? value : undefined),
  LONG: (value) => {
    if (typeof value === 'number') {
      if (Number.isSafeInteger(value)) return value
      return Number.isInteger(value) ? BigInt(value) : undefined
    }
    return typeof value === 'bigint' ? value : undefined
  },
  DOUBLE: (value) => {
    if (typeof value === 'number') return value
    return typeof value === 'bigint' ? Number(value) : undefined
  },
  BOOL: (value) => (typeof value === 'boolean' ? value : undefined),
}

const readMember = (name: string): ((event: Event) => Json | undefined) => {
  if (!name.includes('.')) return (event) => member(event, name)
  const path = name.split('.')
  return (event) => memberAt(event, path)
}

/** The place of a path, as conditions of queries know it. */
export type Place =
  | { readonly kind: 'column'; readonly type: Exclude<AttributeType, 'OBJECT'>; readonly read: Read }
  /** A member that is not declared, or stands in an OBJECT: a value of any kind. */
  | { readonly kind: 'json'; readonly read: Read<Json> }

export function placeOf(stream: Stream, path: string): Place {
  if (path === '_pk') return { kind: 'column', type: 'LONG', read: timeOf }
  if (path === '_v') return { kind: 'column', type: 'LONG', read: () => 1 }
  const type = attributeOf(stream, path)?.type
  if (type === undefined || type === 'OBJECT') return { kind: 'json', read: readPath(path.split('.')) }
  const [read, valueOf] = [readMember(path), columnValues[type]]
  return { kind: 'column', type, read: ({ event }) => valueOf(read(event)) }
}

const arrayIndex = /^\d{1,9}$/

/** Members by name, elements of arrays by number from 0. */
function readPath(path: readonly string[]): Read<Json> {
  const steps = path.map((name) => ({ name, index: arrayIndex.test(name) ? Number(name) : undefined }))
  return ({ event }) => {
    let value: Json | undefined = event
    for (const { name, index } of steps) {
      if (typeof value !== 'object' || value === null) return undefined
      if (Array.isArray(value)) value = index === undefined ? undefined : value[index]
      else value = member(value, name)
    }
    return value ?? undefined
  }
}

const minInt64 = -(2n ** 63n)
export const maxUInt64 = 2n ** 64n - 1n

/** The scalar that a member's JSON text says: an integer beyond 64 bits is a double there. */
export function jsonScalar(value: Json | undefined): Scalar | undefined {
  if (typeof value === 'object' || value === undefined) return undefined
  if (typeof value === 'bigint') return value < minInt64 || value > maxUInt64 ? Number(value) : value
  // Below 1e21 an integer is written in digits, which are those of its shortest text.
  const isDigits = typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 1e21
  return isDigits && !Number.isSafeInteger(value) ? jsonScalar(BigInt(String(value))) : value
}

export function scalarRead(place: Place): Read {
  if (place.kind === 'column') return place.read
  const { read } = place
  return (taken) => jsonScalar(read(taken))
}
