/**
 * One token of a query's text at a time: dotted names, strings, numbers, symbols, the end.
 *
 * A dotted name is one token (`air.flights`, `items.0.name`), without blanks round its dots; it starts with an ASCII
 * letter, `_` or `$`. A string is in double or single quotes; in it a doubled quote is a quote, and
 * `\" \' \\ \/ \n \t \r \b \f \uXXXX` are decoded. Before any other character a backslash is kept, so that `\:` and
 * `\*` reach the code that gives them a meaning. A number has an optional sign, digits, a fraction, an exponent.
 *
 * Refused: strings without an end, half surrogate pairs, control characters (but tab and line ends between tokens
 * and in strings), and outside of strings all that is not ASCII. Other stray characters are tokens of kind `stray`:
 * the parser knows what would be right there.
 */
import { type SourceText, shown } from './source-text.ts'

export type Token = { readonly start: number; readonly end: number } & (
  | { readonly kind: 'name' | 'number' | 'symbol' | 'stray'; readonly text: string }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'end' }
)

const blanks = /[ \t\r\n]*/y
const nameStart = /[A-Za-z_$]/y
const nameRun = /[A-Za-z0-9_$.]*/y
const nameSpoiled = /[-[/@#]/y
const numberStart = /[+-]?[0-9]/y
/** Up to a character that may stand right after a number, so that `2024-01-02` is refused whole. */
const numberRun = /[^\s,;()='"{}<>!]*/y
const number = /^[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$/
const symbol = /<=|>=|<>|!=|[*(),:;=<>]/y
const stringStop = /["'\\]|(?![\t\r\n])\p{Cc}/gu
const fourHexDigits = /[0-9A-Fa-f]{4}/y

const escapes = new Map([
  ['"', '"'],
  ["'", "'"],
  ['/', '/'],
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
])

export function skipBlanks(source: SourceText, offset: number): number {
  return offset + source.match(blanks, offset).length
}

/** The token after `offset`. The end is placed at `offset` itself, behind the last token rather than behind blanks. */
export function readToken(source: SourceText, offset: number): Token {
  const start = skipBlanks(source, offset)
  if (start === source.text.length) return { kind: 'end', start: offset, end: offset }
  if (source.match(nameStart, start)) return readName(source, start)
  if (source.match(numberStart, start)) return readNumber(source, start)
  const text = source.match(symbol, start)
  if (text) return { kind: 'symbol', text, start, end: start + text.length }
  return /["']/.test(source.text.charAt(start)) ? readString(source, start) : readStray(source, start)
}

function readName(source: SourceText, start: number): Token {
  const text = source.match(nameRun, start)
  const end = start + text.length
  const emptyPart = text.endsWith('.') ? text.length : text.indexOf('..') + 1
  if (emptyPart > 0) {
    throw source.refusal(start + emptyPart, `expected a name right after '${shown(text.slice(0, emptyPart))}'`)
  }
  if (source.match(nameSpoiled, end)) {
    throw source.refusal(end, `names are ASCII letters, digits, _ and $, got '${source.text.charAt(end)}'`)
  }
  return { kind: 'name', text, start, end }
}

function readNumber(source: SourceText, start: number): Token {
  const text = source.match(numberRun, start)
  if (!number.test(text))
    throw source.refusal(start, `'${shown(text)}' is neither a number nor a name; text goes in quotes`)
  return { kind: 'number', text, start, end: start + text.length }
}

/** The value of a string that holds a group key: in it `\\\\` stays as it is, so that the `k` of an answer can be sent back. */
export function readGroupKey(source: SourceText, start: number): string {
  return readString(source, start, '\\\\').value
}

/** The string that starts with the quote at `start`. */
export function readString(
  source: SourceText,
  start: number,
  twoBackslashes = '\\',
): Extract<Token, { kind: 'string' }> {
  const quote = source.text.charAt(start)
  const parts: string[] = []
  let from = start + 1
  for (;;) {
    const stop = source.find(stringStop, from)
    if (stop === undefined) throw source.refusal(start, `this string has no closing ${quote}`)
    parts.push(source.text.slice(from, stop))
    const character = source.text.charAt(stop)
    if (character === '\\') {
      const escape = readEscape(source, stop, twoBackslashes)
      parts.push(escape.value)
      from = escape.end
    } else if (character === quote && source.text.charAt(stop + 1) !== quote) {
      const value = parts.join('')
      refuseHalfPairs(source, start, value)
      return { kind: 'string', value, start, end: stop + 1 }
    } else if (character === quote) {
      parts.push(quote)
      from = stop + 2
    } else if (character === '"' || character === "'") {
      parts.push(character)
      from = stop + 1
    } else {
      throw controlRefusal(source, stop)
    }
  }
}

function readEscape(source: SourceText, backslash: number, twoBackslashes: string): { value: string; end: number } {
  const character = source.text.charAt(backslash + 1)
  if (character === '\\') return { value: twoBackslashes, end: backslash + 2 }
  const value = escapes.get(character)
  if (value !== undefined) return { value, end: backslash + 2 }
  if (character !== 'u') return { value: '\\', end: backslash + 1 }
  const digits = source.match(fourHexDigits, backslash + 2)
  if (!digits) throw source.refusal(backslash, 'expected four hexadecimal digits after \\u')
  return { value: String.fromCharCode(Number.parseInt(digits, 16)), end: backslash + 6 }
}

function readStray(source: SourceText, start: number): Token {
  const character = String.fromCodePoint(source.text.codePointAt(start) ?? 0)
  if (/\p{Cc}/u.test(character)) throw controlRefusal(source, start)
  if (/[\u2018\u2019\u201c\u201d]/.test(character)) {
    throw source.refusal(start, `strings go in " or ', got ${character}`)
  }
  if (/\P{ASCII}/u.test(character)) {
    const got = `got '${shown(character)}' (${codePoint(character)})`
    throw source.refusal(start, `expected ASCII outside of quotes, ${got}`)
  }
  return { kind: 'stray', text: character, start, end: start + 1 }
}

/** Such a text has no UTF-8 form. */
export function refuseHalfPairs(source: SourceText, start: number, text: string): void {
  if (!text.isWellFormed()) throw source.refusal(start, 'this text has one half of a surrogate pair without the other')
}

export function controlRefusal(source: SourceText, offset: number) {
  const character = source.text.charAt(offset)
  const escape = `\\u${codePoint(character).slice(2).toLowerCase()}`
  return source.refusal(offset, `control character ${codePoint(character)}; in a string it is written ${escape}`)
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
