/** An edge: `-[REL]->` or `<-[REL]-`, where `*` is any relation. */
import type { EdgePattern } from './ast.ts'
import type { Cursor } from './cursor.ts'

export function parseEdge(cursor: Cursor): EdgePattern {
  const at = cursor.position
  const direction = cursor.accept('<-') ? 'in' : 'out'
  if (direction === 'out' && !cursor.accept('-')) throw cursor.unexpected(["'-['", "'<-['"])
  cursor.expect('[')
  const relation = parseRelation(cursor)
  cursor.expect(']')
  cursor.expect(direction === 'out' ? '->' : '-')
  return { ...relation, direction, at }
}

function parseRelation(cursor: Cursor): { readonly relation?: string } {
  if (cursor.sees('@')) throw cursor.notYet('an alias (@a)')
  if (cursor.sees('#')) throw cursor.notYet('an edge function (#SHORT_PATH, #ALL_PATH, #RADIUS_OF)')
  const isQuoted = cursor.seesQuote
  const at = cursor.position
  const relation = isQuoted ? cursor.takeQuoted().value : cursor.takeWord()
  if (isQuoted && relation === '') throw cursor.source.refusal(at.offset, 'expected a relation')
  if (relation === '') throw cursor.unexpected(['a relation', "'*'"])
  if (cursor.sees('{')) throw cursor.notYet('a filter ({...})')
  return relation === '*' && !isQuoted ? {} : { relation }
}
