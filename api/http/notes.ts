import type { Notes } from '../../sql/schema/check/notes.ts'

/** The member of a success that says what its sender may not have meant; none where there is nothing to say. */
export function notesIn(notes: Pick<Notes, 'list'>, first: readonly string[] = []): { readonly error?: string[] } {
  const error = [...first, ...notes.list()]
  return error.length > 0 ? { error } : {}
}
