/**
 * The document of an insert or update. A text that starts with `{` is JSON, kept as written; else it is opaque text: a string
 * in quotes (decoded), or all characters up to a blank, a `;` or the end (inside brackets also `)`), of any script.
 */
import type { Document } from './ast.ts'
import type { Cursor } from './cursor.ts'
import { endOfJson } from './json-text.ts'
import { controlRefusal, refuseHalfPairs } from './lexer.ts'

const bareText = /[^ \t\r\n;]*/y
const bareTextInBrackets = /[^ \t\r\n;)]*/y

export function parseDocument(cursor: Cursor, { inBrackets = false } = {}): Document {
  switch (cursor.character) {
    case '{':
      return { kind: 'json', text: takeUpTo(cursor, endOfJson(cursor.source, cursor.offset)) }
    case '"':
    case "'":
      return { kind: 'text', text: cursor.takeString() }
    default:
      return { kind: 'text', text: takeBareText(cursor, inBrackets ? bareTextInBrackets : bareText) }
  }
}

function takeBareText(cursor: Cursor, pattern: RegExp): string {
  const start = cursor.offset
  const text = cursor.source.match(pattern, start)
  if (!text) throw cursor.unexpected(['a document: {...}, text in quotes, a word or a number'])
  const control = text.search(/\p{Cc}/u)
  if (control >= 0) throw controlRefusal(cursor.source, start + control)
  return takeUpTo(cursor, start + text.length)
}

function takeUpTo(cursor: Cursor, end: number): string {
  const start = cursor.offset
  const text = cursor.source.text.slice(start, end)
  refuseHalfPairs(cursor.source, start, text)
  cursor.jump(end)
  return text
}
