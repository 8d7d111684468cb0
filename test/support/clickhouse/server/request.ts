import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { exception } from './exceptions.ts'

export type Account = { readonly user: string; readonly password: string }

/** A request as ClickHouse's HTTP interface reads it. */
export type Asked = {
  readonly id: string
  /** The statement, and behind it the data of an insert. */
  readonly whole: Buffer
  readonly database: string | undefined
  readonly format: string
  /** In the order of the URL; the names are the engine's to know. */
  readonly settings: ReadonlyMap<string, string>
  readonly params: ReadonlyMap<string, string>
  readonly user: string
  /** The answer is held back until it is whole. */
  readonly waitsForEnd: boolean
}

/** Parameters of the URL that are no settings. */
const reserved: ReadonlySet<string> = new Set(
  `query database default_format query_id user password quota_key role stacktrace buffer_size wait_end_of_query
  session_id session_timeout session_check close_session client_protocol_version compress decompress`.split(/\s+/),
)

const decoders: Readonly<Record<string, (body: Buffer) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

async function bodyOf(request: IncomingMessage, url: URL): Promise<Buffer> {
  const { headers } = request
  if (request.method === 'POST' && !headers['content-length'] && headers['transfer-encoding'] !== 'chunked')
    throw exception(
      381,
      'HTTP_LENGTH_REQUIRED',
      'The Transfer-Encoding is not chunked and there is no Content-Length header for POST request',
    )
  const sent = await buffer(request)
  if (isOn(url.searchParams.get('decompress')))
    throw exception(48, 'NOT_IMPLEMENTED', 'decompress=1 is not built into this test server')
  const encoding = headers['content-encoding']
  if (encoding === undefined || encoding === 'identity') return sent
  const decode = decoders[encoding]
  if (!decode) throw exception(48, 'NOT_IMPLEMENTED', `Unknown compression method: ${encoding}`)
  return decode(sent)
}

export const isOn = (value: string | null | undefined): boolean => value === '1' || value === 'true'

const one = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

export async function readAsked(request: IncomingMessage, url: URL, user: string): Promise<Asked> {
  const { searchParams: given } = url
  const body = await bodyOf(request, url)
  const text = given.get('query') ?? ''
  const settings = new Map<string, string>()
  const params = new Map<string, string>()
  for (const [name, value] of given) {
    if (name.startsWith('param_')) params.set(name.slice('param_'.length), value)
    else if (!reserved.has(name)) settings.set(name, value)
  }
  // A request that is no POST changes nothing.
  if (request.method !== 'POST' && (settings.get('readonly') ?? '0') === '0') settings.set('readonly', '2')
  return {
    id: given.get('query_id') ?? randomUUID(),
    whole: text === '' || body.length === 0 ? Buffer.concat([Buffer.from(text), body]) : joined(text, body),
    database: given.get('database') ?? one(request.headers['x-clickhouse-database']),
    format: given.get('default_format') ?? one(request.headers['x-clickhouse-format']) ?? 'TabSeparated',
    settings,
    params,
    user,
    waitsForEnd: isOn(given.get('wait_end_of_query')) || isOn(settings.get('http_wait_end_of_query')),
  }
}

const joined = (text: string, body: Buffer): Buffer => Buffer.concat([Buffer.from(`${text}\n`), body])

/** Checks user and password, which come by one of three ways; two at once are refused. Answers the user. */
export function checkAccount(
  headers: IncomingHttpHeaders,
  url: URL,
  passwordOf: (user: string) => string | undefined,
): string {
  const basic = /^Basic (.+)$/i.exec(headers.authorization ?? '')?.[1]
  const byHeaders = headers['x-clickhouse-user'] !== undefined || headers['x-clickhouse-key'] !== undefined
  const byUrl = url.searchParams.has('user') || url.searchParams.has('password')
  if (byHeaders && (basic !== undefined || byUrl)) {
    throw exception(
      516,
      'AUTHENTICATION_FAILED',
      'Invalid authentication: it is not allowed to use X-ClickHouse HTTP headers and other authentication methods simultaneously',
    )
  }
  const [basicUser = '', ...basicPassword] =
    basic === undefined ? [] : Buffer.from(basic, 'base64').toString('utf8').split(':')
  const shown = {
    user: (basic && basicUser) || one(headers['x-clickhouse-user']) || url.searchParams.get('user') || 'default',
    password:
      basic === undefined
        ? (one(headers['x-clickhouse-key']) ?? url.searchParams.get('password') ?? '')
        : basicPassword.join(':'),
  }
  if (shown.password === passwordOf(shown.user)) return shown.user
  throw exception(
    516,
    'AUTHENTICATION_FAILED',
    `${shown.user}: Authentication failed: password is incorrect, or there is no user with such name`,
  )
}
