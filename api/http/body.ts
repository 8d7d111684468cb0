/** Reads bodies of requests: whole, bounded and unpacked. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Context } from 'koa'
import rawBody from 'raw-body'
import { Fault, fault } from '../../base/faults.ts'
import { utf8 } from '../../base/json.ts'
import type { BodyHold } from '../../infra/limits/body-budget.ts'
import { RoomLost, watchPace } from '../../infra/limits/body-pace.ts'

const kilobyte = 1024
/** The timeout of a whole body: this time, and besides the time of its size at this rate in bytes a second. */
const patience_s = 30
const slowest = 128 * kilobyte
/** The rest of a body that is refused is thrown away for this time. */
const discard_ms = 3_000
/** The first estimate of a body without a length, and the usual growth of a packed one. */
const firstBytes = 64 * kilobyte
const usualGrowth = 8

const chunkSize = 64 * kilobyte
const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip({ chunkSize }),
  'x-gzip': () => createGunzip({ chunkSize }),
  deflate: () => createInflate({ chunkSize }),
  br: () => createBrotliDecompress({ chunkSize }),
}

export type BodyBounds = {
  /** In bytes, unpacked. */
  readonly limit: number
  readonly hold: BodyHold
}

const mediaType = /^application\/(x-)?(ndjson|jsonl|jsonlines|json-lines)\b/i

/** Whether the body has one JSON value a line. */
export const isNdjson = ({ req }: Context): boolean => mediaType.test(req.headers['content-type'] ?? '')

/** Reads a request's body as text, unpacked. `limit` in bytes. */
export async function readText(context: Context, limit: number, what: string): Promise<string> {
  return utf8(await readBytes(context, limit), what)
}

/** The same as bytes. */
export async function readBytes({ req, res, state }: Context, limit: number): Promise<Buffer> {
  if (!state.body) throw new Error('no middleware has opened a hold for the body')
  try {
    return await readBody(req, { limit, hold: state.body })
  } finally {
    // A connection with an unread rest of a body on it cannot be used again.
    if (!req.complete) res.setHeader('Connection', 'close')
  }
}

/** Reads a request's body, unpacked. The rest of a refused body is thrown away, so that the client reads the reason. */
export async function readBody(request: IncomingMessage, bounds: BodyBounds): Promise<Buffer> {
  try {
    return await read(request, bounds)
  } catch (error) {
    // A client that lost its room still gets the answer; its bytes are no longer budgeted.
    if (error instanceof Fault && !(error instanceof RoomLost) && !request.complete) await discard(request)
    throw error
  }
}

async function read(request: IncomingMessage, { limit, hold }: BodyBounds): Promise<Buffer> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const isPlain = encoding === 'identity' || encoding === ''
  const unpacker = isPlain ? undefined : unpackers[encoding]
  if (!isPlain && !unpacker) {
    throw fault(
      'unsupported',
      `content encoding ${encoding.slice(0, 40)} is not supported: send gzip, deflate, br or plain`,
    )
  }
  const announced = request.headers['content-length']
  const length = announced === undefined ? undefined : Number(announced)
  if (length !== undefined && length > limit) throw tooLarge(limit)
  const expected = length === undefined ? firstBytes : Math.min(limit, unpacker ? length * usualGrowth : length)
  const room = hold.take(expected)
  if (room) await room
  inviteBody(request)
  const pace = watchPace(request, patience_s + (length ?? limit) / slowest, hold)
  try {
    return await Promise.race([pace.lost, whole()])
  } catch (error) {
    if (error instanceof Fault) throw error
    if (unpacker && request.complete) throw fault('invalid', `the body is no ${encoding}, or cut short`)
    throw fault('invalid', 'the body broke off before its end')
  } finally {
    pace.end()
  }

  function whole(): Promise<Buffer> {
    if (unpacker) return unpacked(request, unpacker(), (stream) => collect(stream, { limit, hold }, expected))
    if (length === undefined) return collect(request, { limit, hold }, expected)
    return rawBody(request, { limit, length }) // The usual case, and the fastest.
  }
}

async function collect(stream: Readable, { limit, hold }: BodyBounds, expected: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let [size, taken] = [0, expected]
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > limit) throw tooLarge(limit)
    if (size > taken) {
      const more = Math.min(limit, 2 * size) - taken
      await hold.take(more)
      taken += more
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

/** The connection outlives errors here, for the answer. */
async function unpacked(
  request: IncomingMessage,
  unpacker: Transform,
  read: (stream: Readable) => Promise<Buffer>,
): Promise<Buffer> {
  const breakOff = (): void => {
    if (!request.readableEnded) unpacker.destroy(new Error('broken off'))
  }
  request.once('close', breakOff)
  try {
    return await read(request.pipe(unpacker))
  } finally {
    request.off('close', breakOff).unpipe(unpacker)
    unpacker.destroy()
  }
}

const tooLarge = (limit: number): Fault =>
  fault('too large', `the body exceeds ${Math.round(limit / 1024 / 1024)} MB (MAX_BODY_MB); send it in parts`, {
    limit: 'MAX_BODY_MB',
  })

/** Hears a client out that reads no answer before it has sent all. */
async function discard(request: IncomingMessage): Promise<void> {
  if (request.destroyed || !isBodyComing(request)) return
  await new Promise<void>((resolve) => {
    const cut = setTimeout(resolve, discard_ms)
    request.once('end', resolve).once('close', () => {
      clearTimeout(cut)
      resolve()
    })
    request.resume()
  })
  request.pause()
}

/** Requests of clients that send their body once they are invited to: `Expect: 100-continue`. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>()

/** From now on the request's body is invited where it is read, and nowhere else. */
export function awaitInvitation(request: IncomingMessage, response: ServerResponse): void {
  waiting.set(request, response)
  // After a refusal the next bytes may be the body's, or another request's.
  response.setHeader('Connection', 'close')
}

/** Invites the body of a client that waits for `100 Continue`; called before the body is read. */
export function inviteBody(request: IncomingMessage): void {
  const response = waiting.get(request)
  if (!response) return
  waiting.delete(request)
  response.removeHeader('Connection')
  response.writeContinue()
}

/** Whether the client sends its body, without or after an invitation. */
const isBodyComing = (request: IncomingMessage): boolean => !waiting.has(request)
