/** Values of Parquet's columns as JSON: exactly, or refused with the reason. NaN, with which programs fill gaps, is missing. */
import { isUtf8 } from 'node:buffer'
import type { SchemaElement, SchemaTree } from 'hyparquet'
import { checkedScale, decimalNumber, decimalOfBytes } from '../../base/decimal.ts'
import { Fault } from '../../base/faults.ts'
import { isoDate, isoText } from '../../base/instant.ts'
import { type Json, parseShallowJson } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'

/** The JSON of a value; undefined where there is none. Throws a `Refusal` for a value that JSON cannot hold as it is. */
export type ReadValue = (value: unknown) => Json | undefined

/** Stands for bytes that are no UTF-8, also as a member's name: half of a surrogate pair, which no bytes decode to. */
const noText = '\udfff'
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

const textOf = (bytes: Uint8Array): string => (isUtf8(bytes) ? decoder.decode(bytes) : noText)

/** Times as texts of ISO 8601, to the microsecond. A value that is refused is left in its place: its row is known later. */
export const parsers = {
  timestampFromMilliseconds: (millis: bigint) => micros(millis, 1_000n),
  timestampFromMicroseconds: (value: bigint) => micros(value, 1n),
  timestampFromNanoseconds: (nanos: bigint) => (typeof nanos === 'bigint' ? micros(nanos / 1_000n, 1n) : undefined),
  dateFromDays: (days: number) =>
    typeof days === 'number' ? (isoDate(BigInt(days)) ?? noTime(`date ${days} (days`)) : undefined,
  stringFromBytes: (bytes: Uint8Array | undefined) => bytes && textOf(bytes),
  jsonFromBytes: (bytes: Uint8Array | undefined) => bytes && jsonOfText(textOf(bytes)),
}

function micros(value: bigint, unit: bigint): string | Refusal | undefined {
  if (typeof value !== 'bigint') return undefined
  return isoText(value * unit) ?? noTime(`time ${value * unit} (microseconds`)
}

const noTime = (what: string): Refusal => new Refusal(`the ${what} since 1970) is outside the years -271821 to 275760`)

function jsonOfText(text: string): Json | Refusal {
  if (text === noText) return text
  try {
    return parseShallowJson(text.replace(/^\ufeff/, ''), 'the JSON')
  } catch (error) {
    if (error instanceof Fault) return new Refusal(error.message)
    throw error
  }
}

/**
 * How the values below a node of the schema are read. Takes the mark of a decimal from the schema, as the reader of the file would
 * round it, and gives enums and the keys of maps that of a text.
 */
export function valueReader(node: SchemaTree): ReadValue {
  const read = ofOne(node)
  return function readAll(value): Json | undefined {
    if (value === null || value === undefined) return undefined
    return Array.isArray(value) ? value.map((each) => readAll(each) ?? null) : read(value)
  }
}

/** Lists come as arrays, whose items are read each. */
function ofOne({ element, children }: SchemaTree): ReadValue {
  if (element.logical_type?.type === 'VARIANT') return jsonOf
  if (children.length === 0) return ofLeaf(element)
  const [inner] = children
  const isNested = children.length === 1 && inner?.element.repetition_type === 'REPEATED'
  if (isNested && element.converted_type === 'LIST' && inner.children.length <= 1)
    return valueReader(inner.children[0] ?? inner)
  if (isNested && element.converted_type === 'MAP') {
    const [key, value] = ['key', 'value'].map((name) => inner.children.find((child) => child.element.name === name))
    if (key && value) {
      const { type, converted_type: mark } = key.element
      if (type === 'BYTE_ARRAY' && (!mark || mark === 'ENUM')) key.element.converted_type = 'UTF8'
      const read = valueReader(value)
      return (map) => membersOf(map, () => read)
    }
  }
  const readers = new Map(children.map((child) => [child.element.name, valueReader(child)]))
  return (struct) => membersOf(struct, (name) => readers.get(name) ?? jsonOf)
}

function ofLeaf(element: SchemaElement): ReadValue {
  const { type, converted_type: mark, logical_type: logical } = element
  if (mark === 'DECIMAL' || logical?.type === 'DECIMAL') {
    const scale = element.scale ?? (logical?.type === 'DECIMAL' ? logical.scale : 0)
    delete element.converted_type
    delete element.logical_type
    return decimalReader(type, scale)
  }
  if (mark === 'ENUM' || logical?.type === 'ENUM') element.converted_type = 'UTF8'
  // Old writers leave texts without a mark.
  if (type === 'BYTE_ARRAY')
    return (value) => (value instanceof Uint8Array && isUtf8(value) ? decoder.decode(value) : jsonOf(value))
  return jsonOf
}

/** A column that is no good costs only the rows with a value in it. */
function decimalReader(type: SchemaElement['type'], unchecked: number): ReadValue {
  try {
    if (type === 'DOUBLE' || type === 'FLOAT')
      throw new Refusal(`the file marks ${type} as a decimal, and only integers and bytes can be one`)
    const scale = checkedScale(unchecked)
    return (value) => decimalOf(value, scale)
  } catch (error) {
    return () => {
      throw error
    }
  }
}

function decimalOf(value: unknown, scale: number): Json | undefined {
  if (typeof value === 'bigint') return decimalNumber(value, scale)
  if (typeof value === 'number') return decimalNumber(BigInt(value), scale)
  if (!(value instanceof Uint8Array)) return undefined
  return decimalOfBytes(Buffer.from(value.buffer, value.byteOffset, value.length), scale)
}

/** A value as it comes, of any type. */
function jsonOf(value: unknown): Json | undefined {
  switch (typeof value) {
    case 'string':
      return refusing(value)
    case 'boolean':
    case 'bigint':
      return value
    case 'number':
      if (Math.abs(value) === Number.POSITIVE_INFINITY)
        throw new Refusal(`${value} is a number that JSON does not have`)
      return Number.isNaN(value) ? undefined : value
    case 'object':
      if (value === null) return undefined
      if (value instanceof Refusal) throw value
      if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
      if (value instanceof Date) return value.toISOString()
      if (Array.isArray(value)) return value.map((each) => jsonOf(each) ?? null)
      return membersOf(value, () => jsonOf)
    default:
      return undefined
  }
}

function membersOf(value: unknown, readerOf: (name: string) => ReadValue): Json | undefined {
  if (typeof value !== 'object' || value === null) return jsonOf(value)
  if (value instanceof Refusal) throw value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [refusing(name), readerOf(name)(each) ?? null]))
}

function refusing(text: string): string {
  if (text === noText) throw new Refusal('its bytes are no UTF-8')
  return text
}
