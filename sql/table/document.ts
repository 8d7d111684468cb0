/**
 * The document that a client sends, by the type of its table. A wide table keeps the object without `_pk` and `_v`, which
 * have columns; every answer puts them back in front.
 */

import { quoted } from '../../base/quoted.ts'
import { Refusal } from '../../base/refusal.ts'
import { jsonMembers, jsonObject } from '../json/canonical.ts'
import type { Document, Literal } from '../query/ast.ts'
import { isInt64 } from '../query/compile/condition.ts'
import { readKey, wholeText } from './key.ts'
import type { Table, TableKind } from './table.ts'

export type DecodedDocument = {
  readonly document: string
  /** The `_pk` inside. */
  readonly key?: string
}

type Decode = (table: Table, document: Document) => DecodedDocument

/** `kind: 'json'` is valid JSON of any type, `'text'` opaque text. */
export const decodeDocument: Decode = (table, document) => decoders[table.kind](table, document)

const wide: Decode = (table, { kind, text }) => {
  if (kind !== 'json' || !text.trimStart().startsWith('{')) {
    throw new Refusal(`doc: ${table.name} is a WIDE table, its documents are JSON objects, got ${shown(kind, text)}`)
  }
  const members = jsonMembers(text)
  const inside = members.get('_pk')
  members.delete('_pk')
  members.delete('_v')
  const document = jsonObject(members)
  return inside === undefined || inside === 'null'
    ? { document }
    : { document, key: readKey(table, keyLiteral(inside)) }
}

const opaque: Decode = (table, { kind, text }) => {
  if (kind === 'text') return { document: wellFormed(text) }
  const value = literalOf(text)
  if (value?.kind === 'string') return { document: wellFormed(value.value) }
  throw new Refusal(`doc: ${table.name} is a NORMAL table, its documents are strings, got ${shown(kind, text)}`)
}

/** `read` gives the number as JSON writes it, or undefined. */
const numeric =
  (described: string, read: (text: string) => string | undefined): Decode =>
  (table, { kind, text }) => {
    const value = kind === 'json' ? literalOf(text) : undefined
    const document = read((value?.kind === 'string' ? value.value : text).trim())
    if (document !== undefined) return { document }
    throw new Refusal(`doc: ${table.name} holds ${described}, got ${shown(kind, text)}`)
  }

function readInt64(text: string): string | undefined {
  const whole = wholeText(text)
  return isInt64(whole) ? String(BigInt(whole.replace('+', ''))) : undefined
}

function readInt32(text: string): string | undefined {
  const whole = readInt64(text)
  return whole !== undefined && BigInt.asIntN(32, BigInt(whole)) === BigInt(whole) ? whole : undefined
}

const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/
const readNumber = (text: string): string | undefined =>
  jsonNumber.test(text) && Number.isFinite(Number(text)) ? text : undefined

const decoders: Readonly<Record<TableKind, Decode>> = {
  WIDE: wide,
  NORMAL: opaque,
  PRIMITIVE_INT: numeric('whole numbers from -2147483648 to 2147483647', readInt32),
  PRIMITIVE_LONG: numeric('whole numbers within 64 bits', readInt64),
  PRIMITIVE_STRING: numeric('numbers', readNumber),
}

/** In a statement text that looks like JSON is opaque all the same, where the table keeps text. */
export const statementDocument = ({ kind }: Table, document: Document): Document =>
  kind === 'WIDE' ? document : { kind: 'text', text: document.text }

/** A scalar's JSON text; undefined for null, objects and arrays. */
function literalOf(json: string): Literal | undefined {
  const text = json.trim()
  if (text.startsWith('"')) return { kind: 'string', value: JSON.parse(text) }
  if (text === 'true' || text === 'false') return { kind: 'boolean', value: text === 'true' }
  return /^[-\d]/.test(text) ? { kind: 'number', text } : undefined
}

export function keyLiteral(json: string): Literal {
  const key = literalOf(json)
  if (key) return key
  throw new Refusal(`_pk: a key is a string or a whole number, got ${shown('json', json)}`)
}

/** A record as a client sees it: a wide table's document with `_pk` and `_v` in front. */
export const withKey = (document: string, key: string, v: string): string =>
  `{"_pk":${key},"_v":${v}${document === '{}' ? '}' : `,${document.slice(1)}`}`

function wellFormed(text: string): string {
  if (text.isWellFormed()) return text
  throw new Refusal('doc: the text holds half a surrogate pair, which is no Unicode text')
}

const shown = (kind: Document['kind'], text: string): string =>
  kind === 'text' ? `the text ${quoted(text)}` : text.trimStart().startsWith('{') ? 'an object' : quoted(text)
