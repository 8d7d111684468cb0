/** Pages of the origins in CORS_ORIGINS may read answers: the headers by which their browsers know (the Fetch Standard, "CORS protocol"). */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../../infra/config.ts'

const methods = 'GET, HEAD, POST, PUT, DELETE'
/** A page may send these headers, and any other that its browser asks for. */
const sent = [
  'accept',
  'authorization',
  'content-encoding',
  'content-type',
  'idempotency-key',
  'if-none-match',
  'last-event-id',
  'range',
  'traceparent',
  'x-access-key',
  'x-api-key',
  'x-secret-key',
] as const
/** A page may read these headers of an answer, beside the ones that it always may. */
const exposed = [
  'Age',
  'Allow',
  'Content-Range',
  'ETag',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'WWW-Authenticate',
  'X-ClickHouse-Display-Name',
  'X-ClickHouse-Exception-Code',
  'X-ClickHouse-Exception-Tag',
  'X-ClickHouse-Format',
  'X-ClickHouse-Query-Id',
  'X-ClickHouse-Server-Display-Name',
  'X-ClickHouse-Summary',
  'X-ClickHouse-Timezone',
  'X-Next-Key',
  'X-Weir-Cursor',
  'X-Weir-Note',
  'X-Weir-Version',
].join(', ')
/** A day; browsers keep a preflight's answer for two hours or less, whatever it says. */
const maxAge_s = 86_400

const headerName = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/
const maxAsked = 50

export function createCrossOrigin({ CORS_ORIGINS }: Pick<Config, 'CORS_ORIGINS'>) {
  const origins = new Set(CORS_ORIGINS)
  const isEvery = origins.has('*')
  const isAllowed = (origin: string): boolean => isEvery || origins.has(origin)

  return {
    isOn: origins.size > 0,
    isAllowed,

    /** Goes with every answer, refusals among them. */
    accompany({ headers: { origin } }: IncomingMessage, response: ServerResponse): void {
      if (origins.size === 0) return
      response.setHeader('Vary', 'Origin')
      if (!isEvery && (origin === undefined || !origins.has(origin))) return
      response.setHeader('Access-Control-Allow-Origin', isEvery ? '*' : (origin ?? ''))
      response.setHeader('Access-Control-Expose-Headers', exposed)
    },

    /** The headers of a preflight's answer, which is a 204, beside the ones that go with every answer. */
    preflightHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
      const wanted = String(headers['access-control-request-headers'] ?? '')
      const asked = wanted.toLowerCase().split(',', maxAsked)
      const named = asked.map((name) => name.trim()).filter((name) => headerName.test(name))
      return {
        'Access-Control-Allow-Methods': methods,
        'Access-Control-Allow-Headers': [...new Set([...sent, ...named])].join(', '),
        'Access-Control-Max-Age': String(maxAge_s),
      }
    },
  }
}

export const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
