import { Refusal } from '../../../base/refusal.ts'
import { identifier } from '../../identifier.ts'
import type { AttributeType } from '../../schema/schema.ts'
import { isInt64, type Params } from './condition.ts'

/** A column of a compound key, in the key's order. */
export type KeyColumn = { readonly name: string; readonly type: AttributeType }

/** A part of a key: its text, or any. */
export type KeyPart = { readonly text: string } | 'any'

const joined = (parts: readonly string[]): string =>
  parts.length === 1 ? (parts[0] ?? "''") : `concat(${parts.join(", ':', ")})`

/** `v` with `\` and `:` written `\\` and `\:`, so that values that are joined by `:` stay apart. */
export const escapedValue = (value: string): string =>
  `replaceAll(replaceAll(toString(${value}), '\\\\', '\\\\\\\\'), ':', '\\\\:')`

/** `v1:v2` */
export const joinedKey = (columns: readonly KeyColumn[]): string =>
  joined(columns.map(({ name }) => escapedValue(identifier(name))))

/** Splits `a:b` at its unescaped colons; a bare `*` is any value. */
export function splitKey(key: string): KeyPart[] {
  const parts = ['']
  for (const piece of key.match(/\\[\s\S]|[\s\S]/g) ?? []) {
    if (piece === ':') parts.push('')
    else parts.push(`${parts.pop() ?? ''}${piece}`)
  }
  return parts.map((part) => (part === '*' ? 'any' : { text: part.replace(/\\([\s\S])/g, '$1') }))
}

export const partText = (part: KeyPart | undefined): string => (part === undefined || part === 'any' ? '*' : part.text)

const matches: Readonly<Record<AttributeType, (column: string, text: string, params: Params) => string>> = {
  STRING: (column, text, params) => `${column} = ${params.add(text, 'String')}`,
  OBJECT: (column, text, params) => `${column} = ${params.add(text, 'String')}`,
  LONG: (column, text, params) => (isInt64(text) ? `${column} = ${params.add(text, 'Int64')}` : 'false'),
  DOUBLE: (column, text, params) =>
    text.trim() === '' || Number.isNaN(Number(text)) ? 'false' : `${column} = ${params.add(Number(text), 'Float64')}`,
  BOOL: (column, text) => (text === 'true' || text === 'false' ? `${column} = ${text}` : 'false'),
}

/** The column holds the value that this text stands for. */
export const matchesText = ({ name, type }: KeyColumn, text: string, params: Params): string =>
  matches[type](identifier(name), text, params)

const typedValue: Readonly<Record<AttributeType, (text: string, params: Params) => string | undefined>> = {
  STRING: (text, params) => params.add(text, 'String'),
  OBJECT: (text, params) => params.add(text, 'String'),
  LONG: (text, params) => (isInt64(text) ? params.add(text, 'Int64') : undefined),
  DOUBLE: (text, params) =>
    text.trim() === '' || Number.isNaN(Number(text)) ? undefined : params.add(Number(text), 'Float64'),
  BOOL: (text) => (text === 'true' || text === 'false' ? text : undefined),
}

/** Rows behind the key whose parts these are, in the key's order. A Refusal where they are no key. */
export function behindKey(columns: readonly KeyColumn[], texts: readonly string[], params: Params): string {
  const names = columns.map(({ name }) => identifier(name)).join(', ')
  const values = columns.flatMap(({ type }, index) => typedValue[type](texts[index] ?? '', params) ?? [])
  if (texts.length !== columns.length || values.length !== columns.length)
    throw new Refusal('levk: no key of this query; send the levk of the last answer')
  const behind = `(${names}) > (${values.join(', ')})`
  const [first] = columns
  // ClickHouse finds its place in a table by the first column alone.
  return columns.length > 1 && first ? `${identifier(first.name)} >= ${values[0]} AND ${behind}` : behind
}
