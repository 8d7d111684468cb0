import type { EdgeFunction, EdgePattern, Weight } from '../../ast.ts'
import type { Cursor } from '../cursor.ts'
import { parsePlaceNames } from '../place-names.ts'
import { parseAlias } from './alias.ts'
import { parseFilter } from './filter.ts'

/** An edge: `-[@alias REL {filter}]->` or `<-[...]-`, where `*` is any relation, or an edge function and its relation. */

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

/** `#SHORT_PATH`, `#ALL_PATH` and `#RADIUS_OF metres`, which stand before a relation. */

const word = /#\w*/y
const metres = /\d+(\.\d+)?([eE][+-]?\d+)?(?![^\s\]])/y

function parseEdgeFunction(cursor: Cursor): EdgeFunction | undefined {
  if (!cursor.sees('#')) return undefined
  const at = cursor.position
  switch (cursor.take(word)) {
    case '#SHORT_PATH':
      return { kind: 'shortest' }
    case '#ALL_PATH':
      return { kind: 'all' }
    case '#RADIUS_OF': {
      const distance = Number(cursor.take(metres) || Number.NaN)
      if (Number.isNaN(distance)) throw cursor.unexpected(['the metres of #RADIUS_OF, a number'])
      return { kind: 'radius', metres: distance }
    }
    default:
      throw cursor.source.refusal(at.offset, 'expected #SHORT_PATH, #ALL_PATH or #RADIUS_OF')
  }
}

/** `{weight="prop"}` or `{geo_distance="lat.lon"}` behind the relation of a shortest path. */
function parseWeight(cursor: Cursor): Weight | undefined {
  if (!cursor.accept('{')) return undefined
  const isDistance = cursor.acceptKeyword('geo_distance')
  if (!isDistance && !cursor.acceptKeyword('weight')) {
    throw cursor.unexpected(['weight="property"', 'geo_distance="latitude.longitude"'])
  }
  cursor.expect('=')
  const at = cursor.position
  const name = cursor.seesQuote ? cursor.takeQuoted().value : cursor.takeWord()
  if (name === '') throw cursor.source.refusal(at.offset, 'expected the name of a property')
  cursor.expect('}')
  if (!isDistance) return { kind: 'property', name }
  return { kind: 'distance', ...parsePlaceNames(cursor, name, at) }
}
