import Router, { type RouterContext } from '@koa/router'
import { anyone, checkPlace, checkScope, isForQuestions, may } from '../../activities/keys/caller.ts'
import type { Place, PlaceKind } from '../../activities/keys/places.ts'
import type { Scope } from '../../activities/keys/scopes.ts'
import type { Call } from '../http/call.ts'
import { pageBody, pagingOf } from '../http/listing.ts'
import { parameter } from '../http/parameter.ts'
import { refuseStray, strayIn, tellStray } from '../http/stray.ts'
import { leaveBody } from './identify.ts'
import { callerIn } from './permit.ts'

/**
 * Where a call is at work: at the place in its path; at one in its body, for which it asks `permit` before it does
 * anything; on a list, which shows its caller's places alone; `everywhere`, for which a key bound to places is not
 * enough; or `anywhere`, which shows nothing of any place.
 */
export type Where = 'in body' | 'in list' | 'everywhere' | 'anywhere' | ((context: RouterContext) => Place)

/** The rights that a call needs; one of the scopes is enough to go on. */
export type Need = { readonly scopes: readonly Scope[]; readonly where: Where }

const needs =
  (...scopes: readonly Scope[]) =>
  (where: Where): Need => ({ scopes, where })

/** Nothing: the paths that api/auth/open-paths.ts opens. */
export const open: Need = { scopes: [], where: 'anywhere' }
export const read = needs('read')
export const write = needs('write')
export const define = needs('define')
export const train = needs('train')
export const admin = needs('admin')('everywhere')
/** The scope that a statement needs is known once it is read. */
export const statement = needs('read', 'write')
/** An event goes by `write`, or by a key that posts events and does nothing else. */
export const writeOrIngest = needs('write', 'ingest')
/** An event goes by `write` or `ingest`, a schema by `define`. */
export const ingestOrDefine = needs('write', 'ingest', 'define')
/** Each tool of an agent needs what its calls need. */
export const anyTool = needs('read', 'write', 'define', 'train')('anywhere')
/** A caller who begins a training may ask how it does. */
export const readOrTrain = needs('read', 'train')
/** A record goes by `write`, its table by `define`. */
export const writeOrDefine = needs('write', 'define')

const at =
  (kind: PlaceKind, name: string) =>
  (context: RouterContext): Place =>
    `${kind}:${parameter(context, name)}`

export const inSchema = at('schema', 'schema')
export const inDatabase = at('db', 'database')
export const inGraph = at('graph', 'graph')
export const inBucket = at('bucket', 'bucket')
export const inSaved = at('saved', 'saved')

export type Handler = (context: RouterContext) => unknown
type Paths = string | string[]

/** Routes, each with the rights that it needs and its entry in the document: no other way leads to a router. */
export function createRoutes() {
  const router = new Router()
  const list: { readonly method: string; readonly path: string; readonly need: Need; readonly call: Call }[] = []

  const add =
    (method: 'get' | 'post' | 'put' | 'delete') =>
    (paths: Paths, need: Need, call: Call, handler: Handler): void => {
      for (const path of [paths].flat()) list.push({ method: method.toUpperCase(), path, need, call })
      const { parameters = method === 'get' ? 'told' : 'refused' } = call
      router[method](paths, async (context: RouterContext) => {
        admit(context, need, call)
        if (parameters === 'refused') refuseStray(context.query, call)
        const paging = call.list && pagingOf(context, call.list)
        await handler(context)
        if (call.list && paging) pageBody(context, call.list, paging)
        const stray = parameters === 'told' ? strayIn(context.query, call) : []
        if (stray.length > 0) tellStray(context, stray, call)
      })
    }

  return { router, list, get: add('get'), post: add('post'), put: add('put'), delete: add('delete') }
}

export type Routes = Pick<ReturnType<typeof createRoutes>, 'router' | 'list'> & {
  /** The methods of a path for which the patterns alone say too many; undefined for all others. */
  readonly methodsOf?: (path: string) => readonly string[] | undefined
}

function admit(context: RouterContext, { scopes, where }: Need, { group }: Call): void {
  const caller = callerIn(context)
  const [scope] = scopes
  if (caller === anyone || scope === undefined) return
  try {
    checkScope(caller, scopes)
    const used = scopes.find((each) => may(caller, each)) ?? scope
    // Such a key sees nothing else, not even a statement that names nothing.
    const isElsewhere = (where === 'in list' || where === 'in body') && group !== 'saved' && isForQuestions(caller)
    if (where === 'everywhere' || isElsewhere) checkPlace(caller, used, undefined)
    else if (typeof where === 'function') checkPlace(caller, used, where(context))
  } catch (error) {
    leaveBody(context.req)
    throw error
  }
}
