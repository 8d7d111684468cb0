import type { IncomingMessage, ServerResponse } from 'node:http'
import { anyone, type Caller, may } from '../../activities/keys/caller.ts'
import { allowanceHeaders, callerOf, takeTurn, whyDenied, whyTooMany } from '../../activities/keys/doors.ts'
import type { KeyEngine } from '../../activities/keys/engine.ts'
import { namesOn } from '../../activities/keys/places.ts'
import type { RateLimit } from '../../infra/limits/rate-limit.ts'
import type { Reach } from '../../sql/analysts/tables.ts'
import { refused } from './body.ts'

export type AnalystGateDeps = {
  readonly keys: KeyEngine
  readonly limit: RateLimit | undefined
  /** Whether there is a schema, or a database of tables, of that name. */
  readonly hasDatabase: (name: string) => boolean
}

/** Who may ask, and what of it all; undefined for all. */
export type AnalystGate = (request: IncomingMessage, url: URL, response: ServerResponse) => Promise<Reach | undefined>

/** A key is the password, by any of the protocol's three ways. */
export function createAnalystGate({ keys, limit, hasDatabase }: AnalystGateDeps): AnalystGate {
  function identify(request: IncomingMessage, url: URL, response: ServerResponse): Caller {
    if (!keys.isRequired) return anyone
    const shown = shownPasswords(request, url)
    const caller = callerOf(keys, shown)
    if (caller) return caller
    response.setHeader('WWW-Authenticate', 'Basic realm="weir"')
    const why = shown.length === 0 ? 'send a key as the password' : whyDenied(shown)
    throw refused(516, `Authentication failed: ${why}`, 'AUTHENTICATION_FAILED')
  }

  return async (request, url, response) => {
    const caller = identify(request, url, response)
    if (limit) {
      const allowance = takeTurn(limit, caller, request.socket.remoteAddress)
      if (allowance.isOver) {
        for (const [name, value] of Object.entries(allowanceHeaders(allowance))) response.setHeader(name, value)
        throw refused(201, whyTooMany(allowance, caller), 'QUOTA_EXCEEDED')
      }
    }
    if (!may(caller, 'read')) throw refused(497, 'this needs the scope read, which the key has not', 'ACCESS_DENIED')
    const { on } = caller
    if (on === undefined) return undefined
    return {
      databases: new Set([...namesOn(on, 'schema'), ...namesOn(on, 'db')]),
      graphs: new Set(namesOn(on, 'graph')),
      hides: hasDatabase,
    }
  }
}

/** The different passwords that a request shows. */
function shownPasswords(request: IncomingMessage, url: URL): readonly string[] {
  const basic = /^Basic +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
  const text = basic === undefined ? '' : Buffer.from(basic, 'base64').toString('utf8')
  const header = request.headers['x-clickhouse-key']
  const passwords = [
    text.slice(text.indexOf(':') + 1),
    typeof header === 'string' ? header : '',
    ...url.searchParams.getAll('password'),
  ]
  return [...new Set(passwords.filter((password) => password !== ''))]
}
