/** `#SHORT_PATH`, `#ALL_PATH` and `#RADIUS_OF metres`, which stand before a relation. */
import type { EdgeFunction, Weight } from '../../ast.ts'
import type { Cursor } from '../cursor.ts'
import { parsePlaceNames } from '../place-names.ts'

const word = /#\w*/y
const metres = /\d+(\.\d+)?([eE][+-]?\d+)?(?![^\s\]])/y

export function parseEdgeFunction(cursor: Cursor): EdgeFunction | undefined {
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
export function parseWeight(cursor: Cursor): Weight | undefined {
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
