/** An edge: `-[@alias REL {filter}]->` or `<-[...]-`, where `*` is any relation, or an edge function and its relation. */

import type { EdgePattern } from '../../ast.ts'
import type { Cursor } from '../cursor.ts'
import { parseAlias } from './alias.ts'
import { parseEdgeFunction, parseWeight } from './edge-function.ts'
import { parseFilter } from './filter.ts'

export function parseEdge(cursor: Cursor): EdgePattern {
  const at = cursor.position
  const direction = parseArrowTail(cursor)
  cursor.expect('[')
  const alias = parseAlias(cursor)
  const call = parseEdgeFunction(cursor)
  const relation = parseRelation(cursor)
  const weight = call?.kind === 'shortest' ? parseWeight(cursor) : undefined
  const filter = weight === undefined ? parseFilter(cursor) : undefined
  cursor.expect(']')
  parseArrowHead(cursor, direction)
  return {
    ...(alias !== undefined && { alias }),
    ...(relation !== '*' && { relation: relation.text }),
    direction,
    ...(filter && { filter }),
    ...(call && { call: weight ? { kind: 'shortest', weight } : call }),
    at,
  }
}

export function parseArrowTail(cursor: Cursor): 'out' | 'in' {
  if (cursor.accept('<-')) return 'in'
  if (cursor.accept('-')) return 'out'
  throw cursor.unexpected(["'-['", "'<-['"])
}

export const parseArrowHead = (cursor: Cursor, direction: 'out' | 'in'): void =>
  cursor.expect(direction === 'out' ? '->' : '-')

/** A relation by name, which in quotes may be any text, or `*`. */
export function parseRelation(cursor: Cursor): { readonly text: string } | '*' {
  if (cursor.seesQuote) {
    const at = cursor.position
    const { value } = cursor.takeQuoted()
    if (value === '') throw cursor.source.refusal(at.offset, 'expected a relation')
    return { text: value }
  }
  const text = cursor.takeWord()
  if (text === '') throw cursor.unexpected(['a relation', "'*'"])
  return text === '*' ? text : { text }
}
