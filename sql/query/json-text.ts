/**
 * Where a JSON value (RFC 8259) inside a longer text ends. Nothing is decoded, so no number is rounded and the text
 * stays as written. Refused, with the place: text that is not JSON, and nesting deeper than 200.
 */
import { controlRefusal } from './lexer.ts'
import { oneOf, type SourceText, shown } from './source-text.ts'

const maxDepth = 200
const blanks = /[ \t\r\n]*/y
const scalar = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const stringStop = /["\\]|(?=\p{Cc})[^\u007f-\u009f]/gu
const escape = /\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/y

export function endOfJson(source: SourceText, start: number): number {
  return endOfValue(source, start, 0)
}

function endOfValue(source: SourceText, start: number, depth: number): number {
  if (depth > maxDepth) throw source.refusal(start, `the document nests deeper than ${maxDepth}`)
  switch (source.text.charAt(start)) {
    case '{':
      return endOfList(source, start, '}', (at) => endOfMember(source, at, depth + 1))
    case '[':
      return endOfList(source, start, ']', (at) => endOfValue(source, at, depth + 1))
    case '"':
      return endOfString(source, start)
  }
  const text = source.match(scalar, start)
  if (!text) throw notJson(source, start, ['a value'])
  return start + text.length
}

function endOfList(source: SourceText, start: number, closing: string, endOfItem: (at: number) => number): number {
  let at = skip(source, start + 1)
  if (source.text.charAt(at) === closing) return at + 1
  for (;;) {
    at = skip(source, endOfItem(at))
    const character = source.text.charAt(at)
    if (character === closing) return at + 1
    if (character !== ',') throw notJson(source, at, ["','", `'${closing}'`])
    at = skip(source, at + 1)
  }
}

function endOfMember(source: SourceText, start: number, depth: number): number {
  if (source.text.charAt(start) !== '"') throw notJson(source, start, ["a member's name in double quotes"])
  const colon = skip(source, endOfString(source, start))
  if (source.text.charAt(colon) !== ':') throw notJson(source, colon, ["':'"])
  return endOfValue(source, skip(source, colon + 1), depth)
}

function endOfString(source: SourceText, start: number): number {
  let at = start + 1
  for (;;) {
    const stop = source.find(stringStop, at)
    if (stop === undefined) throw source.refusal(start, 'the document is not JSON: this string has no closing "')
    if (source.text.charAt(stop) === '"') return stop + 1
    if (source.text.charAt(stop) !== '\\') throw controlRefusal(source, stop)
    const text = source.match(escape, stop)
    if (!text) throw notJson(source, stop, ['an escape such as \\n or \\u000a'])
    at = stop + text.length
  }
}

function skip(source: SourceText, offset: number): number {
  return offset + source.match(blanks, offset).length
}

function notJson(source: SourceText, offset: number, expected: readonly string[]) {
  const character = String.fromCodePoint(source.text.codePointAt(offset) ?? 0)
  const got = offset < source.text.length ? `'${shown(character)}'` : 'the end of the text'
  return source.refusal(offset, `the document is not JSON: expected ${oneOf(expected)}, got ${got}`)
}
