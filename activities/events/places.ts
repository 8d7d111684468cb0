import { type Event, type Json, member, memberAt } from '../../base/json.ts'
import { attributeOf } from '../../sql/schema/columns.ts'
import type { Attribute, AttributeType, Stream } from '../../sql/schema/schema.ts'
import { type ColumnType, columnValues, jsonScalar, type Scalar } from './values.ts'

/** Undefined where the value is missing. */
export type ReadEvent<Result = Scalar> = (event: Event) => Result | undefined

/**
 * Reads a declared member as it was sent: a dotted name is a path into objects, as in the statements that fill columns, and
 * never a member of that very name.
 */
export function readMember(name: string): ReadEvent<Json> {
  if (!name.includes('.')) return (event) => member(event, name)
  const path = name.split('.')
  return (event) => memberAt(event, path)
}

/** The place of a path in events, as queries know it. */
export type Place =
  | { readonly kind: 'column'; readonly type: ColumnType; readonly read: ReadEvent }
  /** A member that is not declared, or is an OBJECT: a value of any kind. */
  | { readonly kind: 'json'; readonly read: ReadEvent<Json> }

/** The attributes that events may have, by name and type. */
export type Attributes = { readonly attributes: readonly Pick<Attribute, 'name' | 'type'>[] }

/** The one way in which a value of an event is read that is, or will be, stored: the event has its `_pk`. */
export function placeOf({ attributes }: Attributes, path: string): Place {
  if (path === '_v') return { kind: 'column', type: 'LONG', read: () => 1 }
  const type = path === '_pk' ? 'LONG' : attributes.find(({ name }) => name === path)?.type
  if (type === undefined || type === 'OBJECT') return { kind: 'json', read: readPath(path.split('.')) }
  return { kind: 'column', type, read: columnReader(path, columnValues[type]) }
}

/** Called for each event and attribute: a name without a dot is read without a call between. */
function columnReader(path: string, valueOf: (value: Json | undefined) => Scalar | undefined): ReadEvent {
  if (!path.includes('.')) return (event) => valueOf(member(event, path))
  const read = readMember(path)
  return (event) => valueOf(read(event))
}

const arrayIndex = /^\d{1,9}$/

/** Members by name, elements of arrays by number from 0. */
function readPath(path: readonly string[]): ReadEvent<Json> {
  const steps = path.map((name) => ({ name, index: arrayIndex.test(name) ? Number(name) : undefined }))
  return (event) => {
    let value: Json | undefined = event
    for (const { name, index } of steps) {
      if (typeof value !== 'object' || value === null) return undefined
      if (Array.isArray(value)) value = index === undefined ? undefined : value[index]
      else value = member(value, name)
    }
    return value ?? undefined
  }
}

/** Reads a value that can be compared. */
export function readScalar(stream: Attributes, path: string): ReadEvent {
  const place = placeOf(stream, path)
  return place.kind === 'column' ? place.read : (event) => jsonScalar(place.read(event))
}

/** Reads a value of any kind: an OBJECT as it was sent, and anything else as a value that can be compared. */
export function readValue(stream: Attributes, path: string): ReadEvent<Json> {
  const place = placeOf(stream, path)
  if (place.kind === 'column') return place.read
  return (event) => {
    const value = place.read(event)
    return typeof value === 'object' ? value : jsonScalar(value)
  }
}

/** The type of an attribute, or of a number that rows have beside their attributes. */
export const typeOf = (stream: Stream, name: string): AttributeType =>
  attributeOf(stream, name)?.type ?? (name === '_pk' || name === '_jpk1' ? 'LONG' : 'STRING')

/** Compiles the view of an event with the values that its columns have, as its document shows it. */
export function compileDocument({ attributes }: Attributes): (event: Event) => Event {
  const columns = attributes.flatMap(({ name, type }) =>
    type === 'OBJECT' || name === '_pk' || name.includes('.') ? [] : [{ name, valueOf: columnValues[type] }],
  )
  return (event) => {
    let document = event
    for (const { name, valueOf } of columns) {
      const sent = member(event, name)
      const value = valueOf(sent)
      if (value === undefined || value === sent) continue
      if (document === event) document = { ...event }
      document[name] = value
    }
    return document
  }
}
