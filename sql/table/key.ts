import { quoted } from '../../base/quoted.ts'
import { Refusal } from '../../base/refusal.ts'
import type { Literal } from '../query/ast.ts'
import { isInt64 } from '../query/compile/condition.ts'
import type { Table } from './table.ts'

/** A key as text; of a table with long keys the decimal digits. */
export function readKey(table: Table, key: Literal): string {
  if (table.keyKind === 'NORMAL_KEY_LONG') return longKey(table, key)
  if (key.kind !== 'string') {
    throw new Refusal(`_pk: the keys of ${table.name} are strings, got ${shown(key)}; write it in quotes`)
  }
  return textKey(table, key.value)
}

/** A key out of plain text, where text and numbers look alike; quotes round it are taken off. */
export function readKeyText(table: Table, text: string): string {
  const bare = withoutQuotes(text) ?? text
  return table.keyKind === 'NORMAL_KEY_LONG' ? longKey(table, { kind: 'number', text: bare }) : textKey(table, bare)
}

/** The keys that a text in a URL may mean, in this order: quotes round a key of text may be a part of it. */
export function keysMeant(table: Table, text: string): readonly string[] {
  const bare = withoutQuotes(text)
  if (bare === undefined || table.keyKind === 'NORMAL_KEY_LONG') return [readKeyText(table, text)]
  const keys = [text, bare].filter((key) => problemOf(table, key) === undefined)
  return keys.length > 0 ? keys : [textKey(table, bare)]
}

const withoutQuotes = (text: string): string | undefined => /^(["'])(.*)\1$/s.exec(text)?.[2]

function longKey(table: Table, key: Literal): string {
  const text = key.kind === 'number' ? wholeText(key.text) : undefined
  if (text !== undefined && isInt64(text)) return String(BigInt(text.replace('+', '')))
  throw new Refusal(`_pk: the keys of ${table.name} are whole numbers within 64 bits, got ${shown(key)}`)
}

/** `5.0` and `1e3` are whole numbers too. */
export function wholeText(text: string): string {
  const [, digits] = /^([+-]?\d+)\.0+$/.exec(text) ?? []
  if (digits !== undefined) return digits
  return /[.eE]/.test(text) && Number.isSafeInteger(Number(text)) ? String(Number(text)) : text
}

function textKey(table: Table, key: string): string {
  const problem = problemOf(table, key)
  if (problem === undefined) return key
  throw new Refusal(`_pk: ${problem}`)
}

/** The problem of a key of text. */
function problemOf({ name, keyBytes }: Table, key: string): string | undefined {
  if (key === '') return 'the key is empty'
  if (!key.isWellFormed()) return 'the key holds half a surrogate pair, which is no Unicode text'
  const bytes = utf8Length(key)
  if (bytes <= keyBytes) return undefined
  return `${quoted(key)} has ${bytes} bytes, the keys of ${name} have at most ${keyBytes} (key_sz)`
}

/** Whether the text is well-formed. */
function utf8Length(text: string): number {
  let bytes = 0
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
  }
  return bytes
}

const shown = (key: Literal): string =>
  key.kind === 'string'
    ? `the string ${quoted(key.value)}`
    : key.kind === 'number'
      ? key.text.slice(0, 60)
      : `${key.value}`
