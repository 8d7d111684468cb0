/**
 * Avro's schemas and binary encoding (specification 1.12). The packages of npm read a list of 2^60 nulls, which takes ten bytes,
 * until the heap is full; this reader ends after as many values as a message of its bytes can have.
 */
import { checkedScale, decimalOfBytes } from '../../../../base/decimal.ts'
import { isObject, type Json, parseShallowJson } from '../../../../base/json.ts'
import { Refusal } from '../../../../base/refusal.ts'
import { type ByteCursor, exact, finite } from '../byte-cursor.ts'
import { ofInteger, uuid } from './logical.ts'

type Read = (cursor: ByteCursor) => Json
type Schema = { readonly [name: string]: Json }
/** The types that have a name, and the namespace of names without a dot. */
type Scope = { readonly named: Map<string, Read>; readonly namespace: string }

/** Compiles a schema; `references` are the texts of the schemas whose types it names, each behind those that it names itself. */
export function compileAvro(text: string, references: readonly string[]): Read {
  const scope: Scope = { named: new Map(), namespace: '' }
  for (const reference of references) compile(parsed(reference), scope)
  return compile(parsed(text), scope)
}

/** A primitive type may stand there as its bare name, too. */
const parsed = (text: string): Json => (/^\s*\w+\s*$/.test(text) ? text.trim() : parseShallowJson(text, 'the schema'))

function compile(schema: Json | undefined, scope: Scope): Read {
  if (typeof schema === 'string') return byName(schema, scope)
  if (Array.isArray(schema)) return union(schema, scope)
  if (!isObject(schema)) throw new Refusal('a type of the schema is missing')
  const { type } = schema
  return typeof type === 'string'
    ? (complex.get(type)?.(schema, scope) ?? simple(type, schema, scope))
    : compile(type, scope)
}

const primitives: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['null', () => null],
  ['boolean', (cursor) => cursor.byte() !== 0],
  ['int', (cursor) => exact(cursor.zigzag())],
  ['long', (cursor) => exact(cursor.zigzag())],
  ['float', (cursor) => finite(cursor.float())],
  ['double', (cursor) => finite(cursor.double())],
  ['bytes', (cursor) => sized(cursor).toString('base64')],
  ['string', (cursor) => cursor.text(cursor.zigzag())],
])

const sized = (cursor: ByteCursor): Buffer => cursor.take(cursor.zigzag())

function simple(type: string, schema: Schema, scope: Scope): Read {
  const { logicalType } = schema
  if (typeof logicalType === 'string') {
    const convert = type === 'int' || type === 'long' ? ofInteger.get(logicalType) : undefined
    if (convert) return (cursor) => convert(exact(cursor.zigzag()))
    if (type === 'bytes' && logicalType === 'decimal') {
      const scale = scaleOf(schema)
      return (cursor) => decimalOfBytes(sized(cursor), scale)
    }
  }
  return byName(type, scope)
}

function byName(name: string, { named, namespace }: Scope): Read {
  const read = primitives.get(name) ?? named.get(fullName(name, namespace)) ?? named.get(name)
  if (!read) throw new Refusal(`the schema has no type ${shown(name)}`)
  return read
}

function union(branches: readonly Json[], scope: Scope): Read {
  const reads = branches.map((branch) => compile(branch, scope))
  return (cursor) => {
    const place = cursor.zigzag()
    const read = reads[Number(place)]
    if (!read) throw new Refusal(`a union of ${reads.length} types has none at ${place}`)
    return read(cursor)
  }
}

const complex: ReadonlyMap<string, (schema: Schema, scope: Scope) => Read> = new Map([
  ['record', record],
  ['error', record],
  ['enum', enumeration],
  ['fixed', fixed],
  ['array', array],
  ['map', map],
])

/** Keeps a type under its name before its parts are compiled, which may name it. */
function define(schema: Schema, { named, namespace }: Scope, make: (scope: Scope) => Read): Read {
  const own = typeof schema.namespace === 'string' ? schema.namespace : namespace
  const name = fullName(textOf(schema.name, 'a name'), own)
  if (named.has(name)) throw new Refusal(`the schema has two types ${shown(name)}`)
  let read: Read | undefined
  named.set(name, (cursor) => {
    if (!read) throw new Error(`type ${name} is read before it is compiled`)
    return read(cursor)
  })
  read = make({ named, namespace: name.slice(0, Math.max(0, name.lastIndexOf('.'))) })
  return read
}

function record(schema: Schema, scope: Scope): Read {
  return define(schema, scope, (inside) => {
    const fields = listOf(schema.fields, 'the fields').map((field) => {
      if (!isObject(field)) throw new Refusal('a field of the schema is no object')
      return { name: textOf(field.name, 'the name of a field'), read: compile(field.type, inside) }
    })
    return nested((cursor) =>
      Object.fromEntries(
        fields.map(({ name, read }) => {
          cursor.count()
          return [name, read(cursor)]
        }),
      ),
    )
  })
}

function enumeration(schema: Schema, scope: Scope): Read {
  return define(schema, scope, () => {
    const symbols = listOf(schema.symbols, 'the symbols').map((symbol) => textOf(symbol, 'a symbol'))
    return (cursor) => {
      const place = cursor.zigzag()
      const symbol = symbols[Number(place)]
      if (symbol === undefined) throw new Refusal(`an enum of ${symbols.length} symbols has none at ${place}`)
      return symbol
    }
  })
}

function fixed(schema: Schema, scope: Scope): Read {
  return define(schema, scope, () => {
    const { size, logicalType } = schema
    if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0)
      throw new Refusal('the size of a fixed type is missing in the schema')
    if (logicalType === 'decimal') {
      const scale = scaleOf(schema)
      return (cursor) => decimalOfBytes(cursor.take(size), scale)
    }
    if (logicalType === 'uuid' && size === uuidBytes) return (cursor) => uuid(cursor.take(size))
    return (cursor) => cursor.take(size).toString('base64')
  })
}

const uuidBytes = 16

function array(schema: Schema, scope: Scope): Read {
  const read = compile(schema.items, scope)
  return nested((cursor) => {
    const items: Json[] = []
    eachOfBlocks(cursor, () => items.push(read(cursor)))
    return items
  })
}

function map(schema: Schema, scope: Scope): Read {
  const read = compile(schema.values, scope)
  return nested((cursor) => {
    const entries: [string, Json][] = []
    eachOfBlocks(cursor, () => entries.push([cursor.text(cursor.zigzag()), read(cursor)]))
    return Object.fromEntries(entries)
  })
}

/** Items come in blocks, each behind its count; a count below zero has the bytes of its block behind it. An empty block ends them. */
function eachOfBlocks(cursor: ByteCursor, item: () => void): void {
  for (;;) {
    const count = cursor.zigzag()
    if (count < 0) cursor.zigzag()
    const items = count < 0 ? -count : count
    if (items === 0 || items === 0n) return
    for (let done = 0; done < items; done++) {
      cursor.count()
      item()
    }
  }
}

const nested =
  (read: Read): Read =>
  (cursor) => {
    cursor.enter()
    const value = read(cursor)
    cursor.leave()
    return value
  }

const fullName = (name: string, namespace: string): string =>
  name.includes('.') || namespace === '' ? name : `${namespace}.${name}`

/** A decimal without a scale has no fraction. */
const scaleOf = ({ scale = 0 }: Schema): number => checkedScale(scale)

function textOf(value: Json | undefined, what: string): string {
  if (typeof value !== 'string') throw new Refusal(`${what} is missing in the schema`)
  return value
}

function listOf(value: Json | undefined, what: string): readonly Json[] {
  if (!Array.isArray(value)) throw new Refusal(`${what} of a type are missing in the schema`)
  return value
}

const shown = (name: string): string => JSON.stringify(name.slice(0, 200))
