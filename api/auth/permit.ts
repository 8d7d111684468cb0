import type { Context } from 'koa'
import { anyone, type Caller, checkPlace, checkScope, may, reaches } from '../../activities/keys/caller.ts'
import type { Place } from '../../activities/keys/places.ts'
import type { Scope } from '../../activities/keys/scopes.ts'

/** The caller; no request comes this far without one. */
export function callerIn({ state }: Pick<Context, 'state'>): Caller {
  const caller: Caller | undefined = state.caller
  if (!caller) throw new Error('no middleware has identified the caller')
  return caller
}

/** The author of a change: the id of the caller's key, or the address where there are no keys. */
export const authorIn = ({ state, req }: Pick<Context, 'state' | 'req'>): string =>
  callerIn({ state }).by || (req.socket.remoteAddress ?? '')

/** For places in a body or a statement: fault `forbidden` unless the caller has the scope there. */
export function permit(context: Pick<Context, 'state'>, scope: Scope, place: Place | undefined): void {
  const caller = callerIn(context)
  if (caller === anyone) return
  checkScope(caller, [scope])
  checkPlace(caller, scope, place)
}

export const mayHere = (context: Pick<Context, 'state'>, scope: Scope): boolean => may(callerIn(context), scope)

/** Whether a list shows the caller things of that place. */
export function sees(context: Pick<Context, 'state'>): (place: Place) => boolean {
  const caller = callerIn(context)
  return (place) => reaches(caller, place)
}

/** Whether the caller sees things of every place, and things of none. */
export const isEverywhere = (context: Pick<Context, 'state'>): boolean => callerIn(context).on === undefined
