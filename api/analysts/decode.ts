import type { IncomingMessage } from 'node:http'
import { exception } from '../../infra/clickhouse/exceptions.ts'
import type { BodyBounds } from '../http/body.ts'
import { readBody } from './body.ts'
import { type AnalystsQuery, decodeAnalystsQuery, isTrue } from './query.ts'

/** Reads a request of ClickHouse's HTTP protocol. */
export async function readQuery(request: IncomingMessage, url: URL, bounds: BodyBounds): Promise<AnalystsQuery> {
  if (request.headers['content-type']?.startsWith('multipart/'))
    throw exception(48, 'NOT_IMPLEMENTED', 'external tables and forms are not supported here')
  if (isTrue(url.searchParams.get('decompress'))) {
    throw exception(48, 'NOT_IMPLEMENTED', 'bodies in ClickHouse frames are not supported here: use Content-Encoding')
  }
  return decodeAnalystsQuery(request.headers, url, await readBody(request, bounds))
}
