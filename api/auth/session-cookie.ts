/** The console keeps its key in a cookie: scripts cannot read it, and other sites cannot make a browser use it. */
import type { IncomingMessage } from 'node:http'
import { isSameOrigin } from '../browsers/same-origin.ts'

/** Cookies of one host are seen by services at all of its ports: each has its own name. */
const nameOf = ({ headers: { host = '' } }: IncomingMessage): string =>
  `weir_session_${/:(\d+)$/.exec(host)?.[1] ?? ''}`

/** The key in the cookie of a request that a page of this very service has sent; undefined for all others. */
export function keyInCookie(request: IncomingMessage): string | undefined {
  const { cookie } = request.headers
  if (cookie === undefined || !isSameOrigin(request)) return undefined
  const name = nameOf(request)
  for (const pair of cookie.split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return decoded(pair.slice(at + 1).trim())
  }
  return undefined
}

/** It ends with the browser's session. Behind a proxy with TLS the page is https, and the request is not. */
export function cookieOf(request: IncomingMessage, key: string): string {
  const isSecure = request.headers.origin?.startsWith('https://') || request.headers['x-forwarded-proto'] === 'https'
  return `${nameOf(request)}=${encodeURIComponent(key)}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
}

export const noCookieOf = (request: IncomingMessage): string => `${cookieOf(request, '')}; Max-Age=0`

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text) || undefined
  } catch {
    return undefined
  }
}
