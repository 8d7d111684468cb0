import type { Cursor } from '../cursor.ts'

const name = /[\p{L}_][\p{L}\p{N}_]*/uy
const marked = /@[\p{L}_][\p{L}\p{N}_]*/uy

/** `@alias`; undefined where no `@` stands. */
export function parseAlias(cursor: Cursor): string | undefined {
  if (!cursor.sees('@')) return undefined
  const alias = cursor.take(marked)
  if (alias === '') throw cursor.refusal('expected a name right behind @')
  return alias.slice(1)
}

export function expectAlias(cursor: Cursor, expected: string): string {
  const alias = cursor.take(name)
  if (alias === '') throw cursor.unexpected([expected])
  return alias
}
