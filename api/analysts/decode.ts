import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { SqlQuery } from '../../infra/clickhouse/sql-runner.ts'
import { readBody, refused } from './body.ts'

/** What the protocol knows beside settings; the second group is tolerated: it changes nothing here. */
const known = new Set(['query', 'database', 'default_format', 'query_id', 'compress', 'wait_end_of_query'])
const ignored = new Set([
  'user',
  'password',
  'quota_key',
  'session_id',
  'session_timeout',
  'session_check',
  'stacktrace',
  'buffer_size',
  'role',
  'decompress',
  'client_protocol_version',
  'enable_http_compression',
  'http_zlib_compression_level',
  'http_headers_progress_interval_ms',
  'http_receive_timeout',
  'http_send_timeout',
  'http_wait_end_of_query',
  'http_response_buffer_size',
  'http_write_exception_in_output_format',
  'send_progress_in_http_headers',
  'add_http_cors_header',
  'cancel_http_readonly_queries_on_client_close',
])

export type Wishes = {
  /** ClickHouse's own frames. */
  readonly isFramed: boolean
  /** Content codings that the client takes and asks for. */
  readonly codings: readonly string[]
  readonly isWhole: boolean
}

export type Decoded = { readonly query: SqlQuery; readonly wishes: Wishes }

const header = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

const isTrue = (value: string | null): boolean => value === '1' || value === 'true'

/** Reads a request of ClickHouse's HTTP protocol. */
export async function decodeQuery(request: IncomingMessage, url: URL, bodyLimit: number): Promise<Decoded> {
  const type = header(request, 'content-type') ?? ''
  if (type.startsWith('multipart/'))
    throw refused(48, 'external tables and forms are not supported here', 'NOT_IMPLEMENTED')
  if (isTrue(url.searchParams.get('decompress'))) {
    throw refused(48, 'bodies in ClickHouse frames are not supported here: use Content-Encoding', 'NOT_IMPLEMENTED')
  }
  const body = await readBody(request, bodyLimit)
  const params: Record<string, string> = {}
  const settings: Record<string, string> = {}
  for (const [name, value] of url.searchParams) {
    if (name.startsWith('param_')) params[name.slice(6)] = value
    else if (!known.has(name) && !ignored.has(name)) settings[name] = value
  }
  const database = url.searchParams.get('database') ?? header(request, 'x-clickhouse-database')
  const accepted = isTrue(url.searchParams.get('enable_http_compression'))
    ? (header(request, 'accept-encoding') ?? '').split(',')
    : []
  return {
    query: {
      id: url.searchParams.get('query_id') || randomUUID(),
      text: url.searchParams.get('query') ?? '',
      body,
      ...(database ? { database } : {}),
      format: url.searchParams.get('default_format') || header(request, 'x-clickhouse-format') || 'TabSeparated',
      params,
      settings,
    },
    wishes: {
      isFramed: isTrue(url.searchParams.get('compress')),
      codings: accepted.map((coding) => coding.split(';')[0]?.trim().toLowerCase() ?? ''),
      isWhole: isTrue(url.searchParams.get('wait_end_of_query')),
    },
  }
}
