import type { IncomingMessage, ServerResponse } from 'node:http'
import { anyone, type Caller, isForQuestions, may, nobody } from '../../activities/keys/caller.ts'
import { allowanceHeaders, callerOf, takeTurn, whyDenied, whyTooMany } from '../../activities/keys/doors.ts'
import type { KeyEngine } from '../../activities/keys/engine.ts'
import { exception } from '../../infra/clickhouse/exceptions.ts'
import type { RateLimit } from '../../infra/limits/rate-limit.ts'
import { shownKeys } from '../auth/shown-keys.ts'
import type { Asker, ReachOf } from './reach.ts'

export type AnalystAuthDeps = {
  readonly keys: Pick<KeyEngine, 'isRequired' | 'find'>
  readonly limit: RateLimit | undefined
  readonly reachOf: ReachOf
}

export type AnalystAuth = (request: IncomingMessage, url: URL, response: ServerResponse) => Promise<Asker>

/** A key is the password, by any of the protocol's three ways, or stands where it does on the API. */
export function createAnalystAuth({ keys, limit, reachOf }: AnalystAuthDeps): AnalystAuth {
  function count(caller: Caller, request: IncomingMessage, response: ServerResponse): void {
    if (!limit) return
    const allowance = takeTurn(limit, caller, request.socket.remoteAddress)
    if (!allowance.isOver) return
    for (const [name, value] of Object.entries(allowanceHeaders(allowance))) response.setHeader(name, value)
    throw exception(201, 'QUOTA_EXCEEDED', whyTooMany(allowance))
  }

  function identify(request: IncomingMessage, url: URL, response: ServerResponse): Caller {
    if (!keys.isRequired) return anyone
    const shown = shownPasswords(request, url)
    const caller = callerOf(keys, shown)
    if (caller) return caller
    // An address that guesses keys is bounded as on the API, by the same count.
    count(nobody, request, response)
    response.setHeader('WWW-Authenticate', 'Basic realm="weir"')
    const why =
      shown.length === 0
        ? 'send a key as the password, as x-api-key, or as Authorization: Bearer <key>'
        : whyDenied(shown)
    throw exception(516, 'AUTHENTICATION_FAILED', `Authentication failed: ${why}`)
  }

  return async (request, url, response) => {
    const caller = identify(request, url, response)
    count(caller, request, response)
    if (isForQuestions(caller)) throw exception(497, 'ACCESS_DENIED', 'the key asks saved questions alone')
    if (!may(caller, 'read')) throw exception(497, 'ACCESS_DENIED', 'this needs the scope read, which the key has not')
    return reachOf(caller, request.socket.remoteAddress)
  }
}

/** The different keys that a request shows. */
function shownPasswords(request: IncomingMessage, url: URL): readonly string[] {
  const basic = /^Basic +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
  const text = basic === undefined ? '' : Buffer.from(basic, 'base64').toString('utf8')
  const header = request.headers['x-clickhouse-key']
  const passwords = [
    ...shownKeys(request.rawHeaders),
    text.slice(text.indexOf(':') + 1),
    typeof header === 'string' ? header : '',
    ...url.searchParams.getAll('password'),
  ]
  return [...new Set(passwords.filter((password) => password !== ''))]
}
