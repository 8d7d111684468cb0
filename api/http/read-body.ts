import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import rawBody from 'raw-body'
import { Fault, fault } from '../../base/faults.ts'
import type { BodyHold } from '../../infra/limits/body-budget.ts'
import { RoomLost, watchPace } from '../../infra/limits/body-pace.ts'
import { discard } from './discard.ts'
import { inviteBody } from './invitation.ts'

const kilobyte = 1024
/** A whole body must be there in this time, and no slower than so many bytes a second. */
const patience_s = 30
const slowest = 128 * kilobyte
/** What an unannounced body is taken for at first, and how much a packed one grows as a rule. */
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

/** Reads a request's body, unpacked. What is refused of it is thrown away, so that the client hears why. */
export async function readBody(request: IncomingMessage, bounds: BodyBounds): Promise<Buffer> {
  try {
    return await read(request, bounds)
  } catch (error) {
    // Who stood still reads the answer; what he sent from now on nobody would count.
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

/** The connection outlives what goes wrong here, for the answer. */
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
