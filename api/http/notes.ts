import type { Context } from 'koa'
import type { Notes } from '../../sql/schema/check/notes.ts'

/** The member of a success that says what its sender may not have meant; none where there is nothing to say. */
export function notesIn(notes: Pick<Notes, 'list'>, first: readonly string[] = []): { readonly error?: string[] } {
  const error = [...first, ...notes.list()]
  return error.length > 0 ? { error } : {}
}

const noteHeader = 'X-Weir-Note'

/** Says in a header what an answer without a member for it cannot say. */
export function noteInHeader(context: Context, notes: readonly string[]): void {
  if (notes.length > 0) context.set(noteHeader, notes.map(asHeader).join('; '))
}

/** A header takes printable ASCII alone. */
const asHeader = (note: string): string => note.replaceAll(/[^\x20-\x7e]/g, '?')
