import type { Undo } from '../../activities/undo/deletions.ts'
import type { Deletion } from '../../infra/catalogue/deletions.ts'
import type { AuditedChange } from '../auth/audited.ts'

/** The path of the call that deletes a thing, to which `/undelete` is added. */
export function pathOf({ kind, name }: Pick<Deletion, 'kind' | 'name'>): string {
  const path = { schema: 'stream', stream: 'stream', graph: 'graph', table: 'db', bucket: 'brs' }[kind]
  return `/${path}/${kind === 'table' || kind === 'stream' ? name.replace('.', '/') : name}`
}

/** The sentence that says how to undo a deletion. */
const undoNote = (thing: Deletion): string =>
  `${thing.kind} ${thing.name} is kept: POST ${pathOf(thing)}/undelete brings it back until ${new Date(thing.until / 1000).toISOString()}`

/** The members of an answer to a deletion with `?undo`. */
export const undoUntil = (thing: Deletion) => ({ undo_until: thing.until, error: [undoNote(thing)] })

/** The same change with the hours of `?undo` in its record. */
export const withUndo = (change: AuditedChange, undo: Undo | undefined): AuditedChange =>
  undo ? { ...change, detail: `${change.detail}, kept for ${undo.hours} h` } : change
