import { fault } from '../../base/faults.ts'
import type { Json } from '../../base/json.ts'
import { covers, type Place } from './places.ts'
import { type Scope, scopes } from './scopes.ts'

/** The key of a request, its scopes, and the places that it is bound to. */
export type Caller = {
  /** A key's id, or `ADMIN_KEY`; empty where there is no key. */
  readonly by: string
  readonly scopes: ReadonlySet<Scope>
  /** Absent for everywhere. */
  readonly on?: ReadonlySet<Place>
  /** Values of parameters of saved questions, which no request of the key changes. */
  readonly fixed?: { readonly [name: string]: Json }
  /** Requests a second; absent: those of every key. */
  readonly rate?: number
  /** Of a token: when it ends, in microseconds since 1970, and the key that handed it out. */
  readonly token?: { readonly until_us: number; readonly by: string }
}

/** Every caller, where keys are off. */
export const anyone: Caller = { by: '', scopes: new Set(scopes) }
/** A caller without a key, where there have to be keys. */
export const nobody: Caller = { by: '', scopes: new Set() }

export const may = (caller: Caller, scope: Scope): boolean => caller.scopes.has(scope) || caller.scopes.has('admin')

export const reaches = ({ on }: Caller, place: Place): boolean => on === undefined || covers(on, place)

/** Whether a caller asks saved questions, and sees nothing else. */
export const isForQuestions = ({ on }: Caller): boolean =>
  on !== undefined && [...on].every((place) => place.startsWith('saved:'))

/** Fault `forbidden` unless the caller has one of the scopes. */
export function checkScope(caller: Caller, oneOf: readonly Scope[]): void {
  if (oneOf.some((scope) => may(caller, scope))) return
  const has = [...caller.scopes].join(', ')
  throw fault('forbidden', `this needs the scope ${oneOf.join(' or ')}, and the key has ${has || 'none'}`)
}

/** Fault `forbidden` unless the key is for that place; undefined stands for a request that is about none. */
export function checkPlace(caller: Caller, scope: Scope, place: Place | undefined): void {
  const { on } = caller
  if (on === undefined || (place !== undefined && covers(on, place))) return
  const needed = place === undefined ? `${scope} on everything` : `${scope} on ${place}`
  throw fault('forbidden', `this needs the scope ${needed}, and the key is for ${[...on].join(', ')}`)
}
