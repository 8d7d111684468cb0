import type { IncomingMessage } from 'node:http'
import { exception } from '../../infra/clickhouse/exceptions.ts'
import type { BodyBounds } from '../http/body.ts'
import { readBody } from './body.ts'
import { boundaryOf, readForm } from './form.ts'
import { type AnalystsQuery, decodeAnalystsQuery, isTrue } from './query.ts'

/** Reads a request of ClickHouse's HTTP protocol. */
export async function readQuery(request: IncomingMessage, url: URL, bounds: BodyBounds): Promise<AnalystsQuery> {
  const boundary = boundaryOf(request.headers)
  const body = await readBody(request, bounds)
  if (isTrue(url.searchParams.get('decompress')) && body.length > 0) {
    throw exception(48, 'NOT_IMPLEMENTED', 'bodies in ClickHouse frames are not supported here: use Content-Encoding')
  }
  const form = readForm(body, request.headers, boundary) ?? { query: body, params: {} }
  return decodeAnalystsQuery(request.headers, url, form)
}
