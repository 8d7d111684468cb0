import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Context } from 'koa'
import rawBody from 'raw-body'
import { fault } from '../../infra/faults.ts'
import { utf8 } from '../ingest/json.ts'

const unzip = promisify(gunzip)
/** The whole body must be there in this time. */
const patience_ms = 300_000
/** The rest of a body that is refused is thrown away for so long, and up to so much. */
const discard_ms = 3_000
const discardBytes = 64 * 1024 * 1024

const tooLarge = (limit: number) =>
  fault('too large', `the body exceeds ${Math.round(limit / 1024 / 1024)} MB (MAX_BODY_MB); send it in parts`)

/** Reads a request's body as text, unpacked where it is gzip. `limit` in bytes bounds it before and after. */
export async function readText(context: Context, limit: number, what: string): Promise<string> {
  const body = await readBytes(context, limit)
  const encoding = (context.req.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity' || encoding === '') return utf8(body, what)
  if (encoding === 'gzip' || encoding === 'x-gzip') return utf8(await unpack(body, limit), what)
  throw fault('unsupported', `content encoding ${encoding.slice(0, 40)} is not supported: send gzip, or the plain body`)
}

async function readBytes(context: Context, limit: number): Promise<Buffer> {
  const cut = setTimeout(() => context.req.destroy(), patience_ms)
  try {
    return await rawBody(context.req, { limit, length: context.req.headers['content-length'] ?? null })
  } catch (error) {
    if (!hasType(error)) throw error
    // The rest of the body may not be read: the connection cannot be used again.
    context.set('Connection', 'close')
    if (error.type === 'entity.too.large') {
      await discard(context.req)
      throw tooLarge(limit)
    }
    throw fault('invalid', `the body could not be read: ${error.type}`)
  } finally {
    clearTimeout(cut)
  }
}

/** Clients that read no answer before they sent all are heard out. */
async function discard(request: IncomingMessage): Promise<void> {
  if (Number(request.headers['content-length'] ?? 0) > discardBytes) return
  await new Promise<void>((resolve) => {
    let left = discardBytes
    const cut = setTimeout(resolve, discard_ms)
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) resolve()
    })
    request.once('end', resolve).once('close', () => {
      clearTimeout(cut)
      resolve()
    })
    request.resume()
  })
  request.pause()
}

const hasType = (error: unknown): error is { type: string } =>
  typeof error === 'object' && error !== null && 'type' in error

async function unpack(body: Buffer, limit: number): Promise<Buffer> {
  try {
    return await unzip(body, { maxOutputLength: limit })
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(limit)
    throw fault('invalid', 'the body is no gzip, or cut short')
  }
}
