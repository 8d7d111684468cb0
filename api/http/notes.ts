import type { Context } from 'koa'
import type { Notes } from '../../sql/schema/check/notes.ts'

/** The member of a success that says what its sender may not have meant; none where there is nothing to say. */
export function notesIn(notes: Pick<Notes, 'list'>, first: readonly string[] = []): { readonly error?: string[] } {
  const error = [...first, ...notes.list()]
  return error.length > 0 ? { error } : {}
}

const noteHeader = 'X-Weir-Note'

/** A header that is longer is refused by some clients, with the whole answer. */
const maxInHeader = 10

/** Says in a header what an answer without a member for it cannot say. */
export function noteInHeader(context: Context, notes: readonly string[]): void {
  if (notes.length === 0) return
  const before = context.response.get(noteHeader)
  const shown =
    notes.length > maxInHeader ? [...notes.slice(0, maxInHeader), `and ${notes.length - maxInHeader} more`] : notes
  context.set(noteHeader, [...(before ? [before] : []), ...shown.map(asHeader)].join('; '))
}

/** A header takes printable ASCII alone. */
const asHeader = (note: string): string => note.replaceAll(/[^\x20-\x7e]/g, '?')
