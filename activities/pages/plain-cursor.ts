import type { Continuation } from './continuation.ts'
import { unlimited } from './cursors.ts'
import type { CursorOf, OpaqueCursors } from './opaque-cursors.ts'
import { type Key, keyText, type Page } from './page.ts'

/** A key as a client sends it back. */
const sentKey = (key: Key): string => (typeof key === 'string' ? key : keyText(key))

/** Where the rows begin that a page left; undefined where it left none. */
export function placeBehind({ more, lastKey, cursor }: Page): Continuation | undefined {
  if (!more) return undefined
  return { ...(lastKey !== undefined && { lastKey: sentKey(lastKey) }), ...(cursor !== undefined && { cursor }) }
}

/** The cursors of one query on the database of that name; the next page may have another limit. */
export function createPlainCursor(cursors: OpaqueCursors, database: string, text: string, caller: string) {
  const of: CursorOf = { about: `${database}\n${unlimited(text)}`, caller }
  return {
    seal: ({ lastKey = '', cursor = '' }: Continuation): string => cursors.seal(of, [lastKey, cursor]),
    open(opaque: string): Continuation {
      const [lastKey = '', cursor = ''] = cursors.open(of, opaque)
      return { ...(lastKey !== '' && { lastKey }), ...(cursor !== '' && { cursor }) }
    },
  }
}
