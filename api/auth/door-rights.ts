import type { Context } from 'koa'
import type { Place } from '../../activities/keys/places.ts'
import type { Fault } from '../../base/faults.ts'
import { isObject, type Json } from '../../base/json.ts'
import { mayHere, permit } from './permit.ts'

export type Doors<Named> = {
  readonly find: (name: string) => Named | undefined
  readonly missing: (name: string) => Fault
  /** The place of the stream that a door feeds. */
  readonly placeOf: (named: Named) => Place
}

/** The rights on doors for events of others, such as hooks: they belong to the streams that they feed. */
export const createDoorRights = <Named>({ find, missing, placeOf }: Doors<Named>) => ({
  /** The door, where the caller may do that with it: one that is not there belongs to no place. */
  found(context: Context, scope: 'read' | 'define', name: string): Named {
    const named = find(name)
    permit(context, scope, named && placeOf(named))
    if (named) return named
    throw missing(name)
  },

  /** The stream of a definition takes `define`, and a right to send events there: its maker could send some of its own. */
  permitInto(context: Context, name: string, definition: Json): void {
    const into = isObject(definition) && typeof definition.into === 'string' ? definition.into : ''
    const present = find(name)
    const places: Place[] = [`schema:${into.split('.', 1)[0]}`, ...(present ? [placeOf(present)] : [])]
    for (const place of places) {
      permit(context, 'define', place)
      permit(context, mayHere(context, 'ingest') ? 'ingest' : 'write', place)
    }
  },
})
