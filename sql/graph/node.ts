/**
 * A node: `(Label:name)`, `(Label:*)`, `(*:name)` or `(*)`. Labels and names run to a blank, bracket, brace, parenthesis
 * or quote, a label also to its colon, or stand in quotes, each by itself or both together (`"Person:Tom Hanks"`).
 * Inside quotes `*` is text.
 */
import type { NamePattern, NodePattern } from './ast.ts'
import type { Cursor } from './cursor.ts'

const unquotedLabel = /[^\s:()[\]{}"']+/y
const forms = 'a node is written (Label:name), (Label:*) or (*)'

export function parseNode(cursor: Cursor): NodePattern {
  const at = cursor.position
  cursor.expect('(')
  if (cursor.sees('(')) throw cursor.refusal(`expected a label, got a second '('; ${forms}`)
  if (cursor.sees('@')) throw cursor.notYet('an alias (@a)')
  const node = parseLabelAndName(cursor)
  if (cursor.sees('{')) throw cursor.notYet('a filter ({...})')
  cursor.expect(')', node.name === undefined ? '' : '; a name with a blank, a bracket or a quote in it goes in quotes')
  return { ...node, at }
}

function parseLabelAndName(cursor: Cursor): Omit<NodePattern, 'at'> {
  if (cursor.seesQuote) return parseQuoted(cursor)
  const label = cursor.takeWord(unquotedLabel)
  if (label === '') throw cursor.unexpected(['a label', "'*'"], `; ${forms}`)
  if (label === '*' && !cursor.sees(':')) return {}
  return { ...(label !== '*' && { label }), ...parseName(cursor) }
}

/** A label in quotes, or label and name in the same ones. */
function parseQuoted(cursor: Cursor): Omit<NodePattern, 'at'> {
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
  if (text === '') throw cursor.unexpected(['a name', "'*'"])
  return text === '*' ? {} : { name: namePattern(text, text.endsWith('$%')) }
}

const namePattern = (text: string, isPrefix: boolean): NamePattern =>
  isPrefix ? { kind: 'starts', text: text.slice(0, -2) } : { kind: 'is', text }
