import { randomUUID } from 'node:crypto'
import type { SqlQuery } from '../../infra/clickhouse/analysts/sql-runner.ts'
import type { Form } from './form.ts'

/** The protocol's parameters beside settings; the second group is tolerated: it changes nothing here. */
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

const codings = ['gzip', 'br', 'deflate'] as const
export type Coding = (typeof codings)[number]

export type Wishes = {
  /** ClickHouse's own frames. */
  readonly isFramed: boolean
  /** The content coding that the client prefers of the ones that Weir has; undefined for none. */
  readonly coding: Coding | undefined
  readonly isWhole: boolean
  /** The revision of ClickHouse's TCP protocol that the client reads blocks by; 0 for none. */
  readonly revision: number
}

export type AnalystsQuery = { readonly query: SqlQuery; readonly wishes: Wishes }

/** Header values by name in lower case. */
type Headers = Readonly<Record<string, string | string[] | undefined>>

const header = (headers: Headers, name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

export const isTrue = (value: string | null): boolean => value === '1' || value === 'true'

/**
 * The coding of the greatest weight in an Accept-Encoding header (RFC 9110, 12.5.3); a coding of weight 0 is refused.
 */
function chooseCoding(accepted: string): Coding | undefined {
  const weights = accepted.split(',').map((item) => {
    const [name = '', ...parameters] = item.toLowerCase().split(';')
    const [, weight = '1'] = parameters.map((each) => each.split('=')).find(([of = '']) => of.trim() === 'q') ?? []
    return { coding: codings.find((coding) => coding === name.trim()), weight: Number(weight) }
  })
  return weights.filter(({ coding, weight }) => coding && weight > 0).sort((a, b) => b.weight - a.weight)[0]?.coding
}

/** Decodes a request of ClickHouse's HTTP protocol. */
export function decodeAnalystsQuery(headers: Headers, url: URL, form: Form): AnalystsQuery {
  const params: Record<string, string> = {}
  const settings: Record<string, string> = {}
  for (const [name, value] of url.searchParams) {
    if (name.startsWith('param_')) params[name.slice(6)] = value
    else if (!known.has(name) && !ignored.has(name)) settings[name] = value
  }
  Object.assign(params, form.params)
  const database = url.searchParams.get('database') ?? header(headers, 'x-clickhouse-database')
  const wantsCoding = isTrue(url.searchParams.get('enable_http_compression'))
  return {
    query: {
      id: url.searchParams.get('query_id') || randomUUID(),
      text: url.searchParams.get('query') ?? '',
      body: form.query,
      ...(database ? { database } : {}),
      format: url.searchParams.get('default_format') || header(headers, 'x-clickhouse-format') || 'TabSeparated',
      params,
      settings,
    },
    wishes: {
      isFramed: isTrue(url.searchParams.get('compress')),
      coding: wantsCoding ? chooseCoding(header(headers, 'accept-encoding') ?? '') : undefined,
      isWhole: isTrue(url.searchParams.get('wait_end_of_query')),
      revision: Number(url.searchParams.get('client_protocol_version')) || 0,
    },
  }
}
