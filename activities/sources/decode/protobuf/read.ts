/** Protobuf's binary encoding (protobuf.dev, "Encoding"), read into the values of ProtoJSON under the names of the .proto. */
import type { Enum, Field as ProtoField, Type } from 'protobufjs'
import type { Event, Json } from '../../../../base/json.ts'
import { Refusal } from '../../../../base/refusal.ts'
import { type ByteCursor, exact, finite } from '../byte-cursor.ts'
import { wellKnown } from './well-known.ts'

const wires = { varint: 0, fixed64: 1, sized: 2, group: 3, groupEnd: 4, fixed32: 5 } as const

/** `zero` is the value of a field that is not there and whose absence means nothing else. */
type Scalar = { readonly wire: number; readonly zero: Json; readonly read: (cursor: ByteCursor) => Json }

const signed = (bits: number, value: number | bigint) => exact(BigInt.asIntN(bits, BigInt(value)))
const unsigned = (bits: number, value: number | bigint) => exact(BigInt.asUintN(bits, BigInt(value)))
const varint = (read: Scalar['read'], zero: Json = 0): Scalar => ({ wire: wires.varint, zero, read })
const fixed32 = (read: Scalar['read']): Scalar => ({ wire: wires.fixed32, zero: 0, read })
const fixed64 = (read: Scalar['read']): Scalar => ({ wire: wires.fixed64, zero: 0, read })
const sized = (read: Scalar['read']): Scalar => ({ wire: wires.sized, zero: '', read })

const scalars: ReadonlyMap<string, Scalar> = new Map([
  ['double', fixed64((cursor) => finite(cursor.double()))],
  ['float', fixed32((cursor) => finite(cursor.float()))],
  ['int32', varint((cursor) => signed(32, cursor.varint()))],
  ['int64', varint((cursor) => signed(64, cursor.varint()))],
  ['uint32', varint((cursor) => unsigned(32, cursor.varint()))],
  ['uint64', varint((cursor) => exact(cursor.varint()))],
  ['sint32', varint((cursor) => signed(32, cursor.zigzag()))],
  ['sint64', varint((cursor) => exact(cursor.zigzag()))],
  ['fixed32', fixed32((cursor) => cursor.take(4).readUInt32LE())],
  ['fixed64', fixed64((cursor) => exact(cursor.take(8).readBigUInt64LE()))],
  ['sfixed32', fixed32((cursor) => cursor.take(4).readInt32LE())],
  ['sfixed64', fixed64((cursor) => exact(cursor.take(8).readBigInt64LE()))],
  ['bool', varint((cursor) => Number(cursor.varint()) !== 0, false)],
  ['string', sized((cursor) => cursor.text(cursor.varint()))],
  ['bytes', sized((cursor) => cursor.take(cursor.varint()).toString('base64'))],
])

/** An enum's values by their names; a number without one stays a number. */
function scalarOf({ valuesById }: Enum): Scalar {
  const name = (value: number): Json => valuesById[value] ?? value
  return varint((cursor) => name(Number(signed(32, cursor.varint()))), name(0))
}

type Field = {
  readonly name: string
  readonly isList: boolean
  /** The type of a map's keys. */
  readonly key: Scalar | undefined
  /** Of the values, where they are no messages. */
  readonly scalar: Scalar | undefined
  readonly message: Type | undefined
  /** The value of a field that is not there. */
  readonly absent: Json | undefined
  /** The other fields of its oneof. */
  rivals: readonly Field[]
}

type Message = { readonly fields: readonly Field[]; readonly byId: ReadonlyMap<number, Field> }

/** Compiles each type once, when a message has one. */
export function createProtobufReader() {
  const messages = new Map<Type, Message>()

  function compile(type: Type): Message {
    const known = messages.get(type)
    if (known) return known
    const fields = new Map(type.fieldsArray.map((field) => [field, fieldOf(field)]))
    for (const [{ partOf }, own] of fields)
      if (partOf)
        own.rivals = partOf.fieldsArray.flatMap((field) => fields.get(field) ?? []).filter((each) => each !== own)
    const byId = new Map([...fields].map(([{ id }, field]) => [id, field]))
    const message = { fields: [...fields.values()], byId }
    messages.set(type, message)
    return message
  }

  function read(cursor: ByteCursor, type: Type): Json {
    const fields = readFields(cursor, compile(type))
    const convert = wellKnown.get(type.fullName)
    return convert ? convert(fields) : fields
  }

  function readFields(cursor: ByteCursor, { fields, byId }: Message): Event {
    const values = new Map<Field, Json>()
    const lists = new Map<Field, Json[]>()
    const maps = new Map<Field, [string, Json][]>()
    /** A message that comes in parts is that of its parts in a row. */
    const parts = new Map<Field, Buffer[]>()

    function take(field: Field, wire: number, id: number): void {
      const { scalar, message, key } = field
      for (const rival of field.rivals) if (!values.delete(rival)) parts.delete(rival)
      cursor.count()
      if (scalar && !key) {
        const list = field.isList ? listIn(lists, field) : undefined
        if (wire === scalar.wire) {
          const value = scalar.read(cursor)
          if (list) list.push(value)
          else values.set(field, value)
        } else if (list && wire === wires.sized && scalar.wire !== wires.sized) {
          const packed = cursor.within(cursor.take(cursor.varint()))
          while (packed.left > 0) {
            packed.count()
            list.push(scalar.read(packed))
          }
        } else skip(cursor, wire, id)
        return
      }
      if (wire !== wires.sized && wire !== wires.group) return void skip(cursor, wire, id)
      const bytes = wire === wires.sized ? cursor.take(cursor.varint()) : groupOf(cursor, id)
      if (key) listIn(maps, field).push(entryOf(cursor.within(bytes), key, field))
      else if (!message) return
      else if (field.isList) listIn(lists, field).push(read(cursor.within(bytes), message))
      else listIn(parts, field).push(bytes)
    }

    while (cursor.left > 0) {
      const { id, wire } = tagOf(cursor)
      const field = byId.get(id)
      if (field) take(field, wire, id)
      else skip(cursor, wire, id)
    }

    const event: [string, Json][] = []
    for (const field of fields) {
      const value = valueOf(field)
      if (value === undefined) continue
      cursor.count()
      event.push([field.name, value])
    }
    return Object.fromEntries(event)

    function valueOf(field: Field): Json | undefined {
      if (field.key) return Object.fromEntries(maps.get(field) ?? [])
      if (field.isList) return lists.get(field) ?? []
      const bytes = parts.get(field)
      if (!bytes || !field.message) return values.has(field) ? values.get(field) : field.absent
      const [first] = bytes
      return read(cursor.within(first && bytes.length === 1 ? first : Buffer.concat(bytes)), field.message)
    }
  }

  /** An entry of a map is a message of two fields. */
  function entryOf(cursor: ByteCursor, key: Scalar, { scalar, message }: Field): [string, Json] {
    let name = key.zero
    let value = scalar?.zero
    while (cursor.left > 0) {
      const { id, wire } = tagOf(cursor)
      if (id === 1 && wire === key.wire) name = key.read(cursor)
      else if (id === 2 && scalar && wire === scalar.wire) value = scalar.read(cursor)
      else if (id === 2 && message && wire === wires.sized)
        value = read(cursor.within(cursor.take(cursor.varint())), message)
      else skip(cursor, wire, id)
    }
    if (value === undefined) value = message ? read(cursor.within(Buffer.alloc(0)), message) : null
    return [String(name), value]
  }

  return read
}

function fieldOf(field: ProtoField): Field {
  const { name, resolvedType: type, repeated, map } = field
  const message = type && 'fieldsArray' in type ? type : undefined
  const scalar = type && 'valuesById' in type ? scalarOf(type) : scalars.get(field.type)
  const key = 'keyType' in field ? scalars.get(String(field.keyType)) : undefined
  const isAbsence = repeated || map || message !== undefined || Boolean(field.hasPresence)
  return { name, isList: repeated, key, scalar, message, absent: isAbsence ? undefined : scalar?.zero, rivals: [] }
}

function listIn<Value>(lists: Map<Field, Value[]>, field: Field): Value[] {
  const list = lists.get(field) ?? []
  lists.set(field, list)
  return list
}

function tagOf(cursor: ByteCursor): { readonly id: number; readonly wire: number } {
  const tag = Number(cursor.varint())
  const id = Math.floor(tag / 8)
  if (id === 0) throw new Refusal('a field of the message has the number 0')
  return { id, wire: tag % 8 }
}

function skip(cursor: ByteCursor, wire: number, id: number): void {
  if (wire === wires.varint) cursor.varint()
  else if (wire === wires.fixed64) cursor.take(8)
  else if (wire === wires.sized) cursor.take(cursor.varint())
  else if (wire === wires.fixed32) cursor.take(4)
  else if (wire === wires.group) groupOf(cursor, id)
  else throw new Refusal(`a field of the message is written in the unknown way ${wire}`)
}

/** The bytes of a group, up to its end. */
function groupOf(cursor: ByteCursor, id: number): Buffer {
  cursor.enter()
  const start = cursor.place
  for (;;) {
    const end = cursor.place
    const { id: inside, wire } = tagOf(cursor)
    if (wire !== wires.groupEnd) skip(cursor, wire, inside)
    else if (inside === id) {
      cursor.leave()
      return cursor.since(start, end)
    } else throw new Refusal('a group of the message ends in another one')
  }
}
