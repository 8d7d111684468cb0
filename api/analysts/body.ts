import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import rawBody from 'raw-body'
import { ClickHouseError } from '../../infra/clickhouse/clickhouse.ts'

/** The whole body must be there in this time. */
const patience_ms = 300_000

const unpackers: Readonly<Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

/** Reads a request's body, unpacked. `limit` in bytes bounds it before and after. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const bytes = await readBytes(request, limit)
  if (encoding === 'identity' || encoding === '') return bytes
  const unpack = unpackers[encoding]
  if (!unpack) {
    throw refused(
      78,
      `the content encoding ${encoding.slice(0, 40)} is not supported: gzip, deflate or br`,
      'UNKNOWN_COMPRESSION_METHOD',
    )
  }
  try {
    return await unpack(bytes, { maxOutputLength: limit })
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(limit)
    throw refused(36, `the body is no ${encoding}, or cut short`, 'BAD_ARGUMENTS')
  }
}

async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const cut = setTimeout(() => request.destroy(), patience_ms)
  try {
    return await rawBody(request, { limit, length: request.headers['content-length'] ?? null })
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'type' in error) {
      if (error.type === 'entity.too.large') throw tooLarge(limit)
      throw refused(36, `the body could not be read: ${String(error.type)}`, 'BAD_ARGUMENTS')
    }
    throw error
  } finally {
    clearTimeout(cut)
  }
}

const tooLarge = (limit: number): ClickHouseError => refused(307, `the body exceeds ${limit} bytes`, 'TOO_MANY_BYTES')

/** An exception as ClickHouse words it. */
export const refused = (code: number, message: string, name: string): ClickHouseError =>
  new ClickHouseError(code, `Code: ${code}. DB::Exception: ${message}. (${name})`)
