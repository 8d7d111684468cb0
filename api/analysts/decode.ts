import type { IncomingMessage } from 'node:http'
import type { BodyBounds } from '../http/read-body.ts'
import { readBody, refused } from './body.ts'
import { type AnalystsQuery, decodeAnalystsQuery, isTrue } from './query.ts'

/** Reads a request of ClickHouse's HTTP protocol. */
export async function readQuery(request: IncomingMessage, url: URL, bounds: BodyBounds): Promise<AnalystsQuery> {
  if (request.headers['content-type']?.startsWith('multipart/'))
    throw refused(48, 'external tables and forms are not supported here', 'NOT_IMPLEMENTED')
  if (isTrue(url.searchParams.get('decompress'))) {
    throw refused(48, 'bodies in ClickHouse frames are not supported here: use Content-Encoding', 'NOT_IMPLEMENTED')
  }
  return decodeAnalystsQuery(request.headers, url, await readBody(request, bounds))
}
