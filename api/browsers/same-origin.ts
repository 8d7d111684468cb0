import type { IncomingMessage } from 'node:http'

/** Behind a proxy with TLS the page is https, and the request is not. */
export const isOriginOf = (origin: string, host = ''): boolean => {
  const [scheme, named] = origin.split('://', 2)
  return (scheme === 'http' || scheme === 'https') && named?.toLowerCase() === host.toLowerCase()
}

/**
 * Whether a page of this very service sent the request. Over plain http, and from another machine, a browser tells no
 * site and with GET no origin: there the console's own header says it, which no other site's page can send unasked.
 */
export function isSameOrigin({ headers }: IncomingMessage): boolean {
  const { host, origin, 'sec-fetch-site': site } = headers
  if (site !== undefined) return site === 'same-origin'
  if (origin !== undefined) return isOriginOf(origin, host)
  return headers['x-weir-console'] === '1'
}
