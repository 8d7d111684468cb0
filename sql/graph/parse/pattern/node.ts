/**
 * A node: `(@alias Label:name {filter})`, of which each part may be left out, but no label without its colon. Labels and
 * names run to a blank, bracket, brace, parenthesis or quote, a label also to its colon, or stand in quotes, each by
 * itself or both together (`"Person:Tom Hanks"`). Inside quotes `*` is text.
 */

import type { NamePattern, NodePattern } from '../../ast.ts'
import type { Cursor } from '../cursor.ts'
import { parseAlias } from './alias.ts'
import { parseFilter } from './filter.ts'

const unquotedLabel = /[^\s:()[\]{}"']+/y
const forms = 'a node is written (Label:name), (Label:*) or (*)'

type LabelAndName = Pick<NodePattern, 'label' | 'name'>

export function parseNode(cursor: Cursor): NodePattern {
  const at = cursor.position
  cursor.expect('(')
  if (cursor.sees('(')) throw cursor.refusal(`expected a label, got a second '('; ${forms}`)
  const alias = parseAlias(cursor)
  const node = parseLabelAndName(cursor)
  const filter = parseFilter(cursor)
  cursor.expect(')', node.name === undefined ? '' : '; a name with a blank, a bracket or a quote in it goes in quotes')
  return { ...(alias !== undefined && { alias }), ...node, ...(filter && { filter }), at }
}

/** `(label:name)` with both, as statements that write have them. */
export function parseLabelAndName(cursor: Cursor): LabelAndName {
  if (cursor.seesQuote) return parseQuoted(cursor)
  const label = cursor.takeWord(unquotedLabel)
  if (label === '*' || label === '') return cursor.sees(':') ? parseName(cursor) : {}
  return { label, ...parseName(cursor) }
}

/** A label in quotes, or label and name in the same ones. */
function parseQuoted(cursor: Cursor): LabelAndName {
  const start = cursor.position
  const { value, isPrefix } = cursor.takeQuoted()
  const colon = value.indexOf(':')
  const label = colon === -1 ? value : value.slice(0, colon)
  if (label === '') throw cursor.source.refusal(start.offset, `expected a label; ${forms}`)
  if (colon === -1) return { label, ...parseName(cursor) }
  return { label, name: namePattern(value.slice(colon + 1), isPrefix) }
}

function parseName(cursor: Cursor): { readonly name?: NamePattern } {
  if (!cursor.accept(':')) throw cursor.unexpected(["':'"], `; ${forms}`)
  if (cursor.seesQuote) {
    const { value, isPrefix } = cursor.takeQuoted()
    return { name: namePattern(value, isPrefix) }
  }
  const text = cursor.takeWord()
  return text === '*' || text === '' ? {} : { name: namePattern(text, text.endsWith('$%')) }
}

const namePattern = (text: string, isPrefix: boolean): NamePattern =>
  isPrefix ? { kind: 'starts', text: text.slice(0, -2) } : { kind: 'is', text }
