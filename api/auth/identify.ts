import type { IncomingMessage } from 'node:http'
import type { Context, Middleware } from 'koa'
import { anyone, type Caller, nobody } from '../../activities/keys/caller.ts'
import { allowanceHeaders, callerOf, takeTurn, whyDenied, whyTooMany } from '../../activities/keys/doors.ts'
import type { KeyEngine } from '../../activities/keys/engine.ts'
import { fault } from '../../base/faults.ts'
import type { RateLimit } from '../../infra/limits/rate-limit.ts'
import { isCapture } from '../capture/paths.ts'
import { isDelivery } from '../hooks/deliveries.ts'
import { keyInCookie } from './session-cookie.ts'
import { shownKeys } from './shown-keys.ts'

declare module 'koa' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be extended from outside
  interface DefaultState {
    caller?: Caller
  }
}

export type GateDeps = {
  readonly keys: KeyEngine
  /** Absent where there is no limit. */
  readonly limit: RateLimit | undefined
}

/** A body that is not read has this time to end, so that clients which send all of it first still read the answer. */
const patience_ms = 3_000

/** Counts a request, or a message of one, of its caller; a fault where it is one too many. */
export function createCount(limit: RateLimit | undefined) {
  return (context: Context, caller: Caller, { isAddressCounted = false } = {}): void => {
    if (!limit || (limit.isOff && caller.rate === undefined) || isProbe(context.path)) return
    const allowance = takeTurn(limit, caller, context.req.socket.remoteAddress, isAddressCounted)
    if (!allowance.isOver) return
    leaveBody(context.req)
    throw fault('too many', whyTooMany(allowance), {
      headers: allowanceHeaders(allowance),
      limit: 'RATE_LIMIT',
    })
  }
}

export type Count = ReturnType<typeof createCount>

/** Finds the caller, before all else. Without a good key the answer is 401, for any path, whether it exists or not. */
export function identify({ keys, limit }: GateDeps): Middleware {
  const count = createCount(limit)
  if (!keys.isRequired)
    return (context, next) => {
      context.state.caller = anyone
      count(context, anyone)
      return next()
    }
  return (context, next) => {
    const inHeaders = shownKeys(context.req.rawHeaders)
    const inCookie = inHeaders.length === 0 ? keyInCookie(context.req) : undefined
    const shown = inCookie === undefined ? inHeaders : [inCookie]
    const found = callerOf(keys, shown)
    if (!found && !isOpen(context.method, context.path)) {
      // An address that guesses keys is bounded as one without keys; good keys from there are counted by themselves.
      count(context, nobody)
      leaveBody(context.req)
      throw fault('denied', whyDenied(shown), { headers: { 'WWW-Authenticate': 'Bearer' } })
    }
    const caller = found ?? nobody
    context.state.caller = caller
    count(context, caller)
    return next()
  }
}

/** Node throws away the part of a body that comes after its answer; the connection is cut a moment later. */
export function leaveBody(request: IncomingMessage): void {
  if (request.complete) return
  const cut = setTimeout(() => request.destroy(), patience_ms)
  request.once('close', () => clearTimeout(cut))
}

/** Open to all with GET and HEAD. */
const open = new Set([
  '/',
  '/health/live',
  '/health/ready',
  '/openapi.json',
  '/openapi-3.0.json',
  '/definition.schema.json',
])
const isOpen = (method: string, path: string): boolean => {
  if (path === '/console/session' || isDelivery(method, path) || isCapture(method, path)) return true
  return (
    (method === 'GET' || method === 'HEAD') && (open.has(path) || path === '/console' || path.startsWith('/console/'))
  )
}

/** Probes are not rate-limited. */
const isProbe = (path: string): boolean => path === '/health/live' || path === '/health/ready'
