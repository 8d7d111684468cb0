import type { IncomingMessage } from 'node:http'

export type Credentials = { readonly user: string; readonly password: string }

/** Who asks, by any of the protocol's three ways. */
export function credentialsOf(request: IncomingMessage, url: URL): Credentials {
  const basic = /^Basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (basic !== undefined) {
    const text = Buffer.from(basic, 'base64').toString('utf8')
    const at = text.indexOf(':')
    return at < 0 ? { user: text, password: '' } : { user: text.slice(0, at), password: text.slice(at + 1) }
  }
  const named = request.headers['x-clickhouse-user']
  const key = request.headers['x-clickhouse-key']
  if (named !== undefined || key !== undefined) {
    return { user: String(named ?? 'default'), password: String(key ?? '') }
  }
  return { user: url.searchParams.get('user') ?? 'default', password: url.searchParams.get('password') ?? '' }
}
