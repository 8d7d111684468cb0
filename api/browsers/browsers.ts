import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Middleware } from 'koa'
import { nobody } from '../../activities/keys/caller.ts'
import { allowanceHeaders, takeTurn, whyTooMany } from '../../activities/keys/doors.ts'
import { type Fault, fault } from '../../base/faults.ts'
import type { Config } from '../../infra/config.ts'
import type { RateLimit } from '../../infra/limits/rate-limit.ts'
import { createOwnHosts, type OwnHosts } from '../../infra/own-hosts.ts'
import { leaveBody } from '../auth/identify.ts'
import { isDelivery } from '../hooks/deliveries.ts'
import { createCrossOrigin, isPreflight } from './cross-origin.ts'
import { isOriginOf } from './same-origin.ts'

export type BrowsersDeps = {
  readonly config: Pick<Config, 'API_KEYS' | 'HOST' | 'ALLOWED_HOSTS' | 'CORS_ORIGINS'>
  readonly limit: RateLimit | undefined
  readonly isOwn?: OwnHosts
}

/**
 * The rules for requests of browsers. A page that its user has opened anywhere can send requests to this machine; where
 * there are no keys, nothing else would tell them from the user's own.
 */
export function createBrowsers({ config, limit, isOwn = createOwnHosts(config) }: BrowsersDeps) {
  const crossOrigin = createCrossOrigin(config)
  const hasKeys = config.API_KEYS === 'require'

  /** Undefined for a request of Weir's own pages, of an origin that is allowed, or of no browser. */
  function whyForeign({ headers, socket }: IncomingMessage): string | undefined {
    const { host, origin, 'sec-fetch-site': site } = headers
    if (host !== undefined && !isOwn(host, socket.localAddress)) {
      return `the header Host says ${shown(host)}, which is no address of this machine: name it in ALLOWED_HOSTS, or ${orKeys}`
    }
    if (origin !== undefined) {
      if (crossOrigin.isAllowed(origin)) return undefined
      if (!isOriginOf(origin, host))
        return `a page of ${shown(origin)} sent this, which is another site: name it in CORS_ORIGINS, or ${orKeys}`
    }
    if (site === undefined || site === 'same-origin' || site === 'none') return undefined
    return `a page of another site sent this (Sec-Fetch-Site: ${shown(site)}): open the address by itself, or ${orKeys}`
  }

  function countPreflight({ socket }: IncomingMessage): void {
    if (!limit) return
    const allowance = takeTurn(limit, nobody, socket.remoteAddress)
    if (!allowance.isOver) return
    const headers = allowanceHeaders(allowance)
    throw fault('too many', whyTooMany(allowance), { headers, limit: 'RATE_LIMIT' })
  }

  return {
    accompany: crossOrigin.accompany,

    /**
     * Whether the request is a preflight whose answer, a 204, has its headers now. Throws a fault where a browser sent it
     * for a site that may not.
     */
    meet(request: IncomingMessage, response: ServerResponse): boolean {
      if (!hasKeys && !isDelivery(request.method, request.url)) {
        const why = whyForeign(request)
        if (why !== undefined) throw forbidden(why)
      }
      if (!crossOrigin.isOn || !isPreflight(request)) return false
      const { origin = '' } = request.headers
      if (!crossOrigin.isAllowed(origin)) throw forbidden(`${shown(origin)} is not in CORS_ORIGINS`)
      countPreflight(request)
      for (const [name, value] of Object.entries(crossOrigin.preflightHeaders(request))) response.setHeader(name, value)
      return true
    },
  }
}

export type Browsers = ReturnType<typeof createBrowsers>

/** Before a caller is looked for: a preflight brings no key. */
export const meetBrowsers =
  (browsers: Browsers): Middleware =>
  async (context, next) => {
    let isAnswered: boolean
    try {
      isAnswered = browsers.meet(context.req, context.res)
    } catch (error) {
      leaveBody(context.req)
      throw error
    }
    if (!isAnswered) return next()
    leaveBody(context.req)
    context.status = 204
  }

const orKeys = 'turn keys on (API_KEYS=require)'
const shown = (text: string | string[]): string => JSON.stringify(String(text).slice(0, 100))
const forbidden = (why: string): Fault => fault('forbidden', why)
