import { createGunzip } from 'node:zlib'
import { Refusal } from '../../base/refusal.ts'

const gzip = Buffer.from([0x1f, 0x8b])
const zstd = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
/** A block of zstd has four bytes at least and gives 128 KB at most: a piece of a file gives no more than 32 MB at once. */
const pieceOfZstd = 1024

/** The bytes of a file, out of gzip or zstd where its first bytes show one of them. A `Refusal` tells that it is cut or broken. */
export async function* unpacked(source: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  while (head.length < zstd.length) {
    const { value, done } = await chunks.next()
    if (done) break
    head = Buffer.concat([head, value])
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield head
    for (;;) {
      const { value, done } = await chunks.next()
      if (done) return
      yield value
    }
  }
  const isOf = (mark: Buffer): boolean => head.subarray(0, mark.length).equals(mark)
  if (isOf(gzip)) yield* gunzipped(whole())
  else if (isOf(zstd)) yield* unzstd(whole())
  else yield* whole()
}

async function* gunzipped(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip()
  let failure: unknown
  const fed = (async () => {
    for await (const chunk of packed) {
      if (gunzip.destroyed) return
      if (!gunzip.write(chunk))
        await new Promise<void>((resolve) => {
          const go = (): void => {
            gunzip.off('drain', go).off('close', go)
            resolve()
          }
          gunzip.on('drain', go).on('close', go)
        })
    }
    gunzip.end()
  })().catch((error: unknown) => {
    failure = error
    gunzip.destroy()
  })
  try {
    for await (const chunk of gunzip) yield chunk
  } catch (error) {
    if (failure !== undefined) throw failure
    throw isOfZlib(error) ? broken('gzip', error) : error
  } finally {
    gunzip.destroy()
    await fed
  }
  if (failure !== undefined) throw failure
}

async function* unzstd(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { Decompress } = await import('fzstd')
  let ready: Uint8Array[] = []
  // A stream of its own gives the next block over the bytes of the one before.
  const stream = new Decompress((data) => void ready.push(data.slice()))
  const push = (bytes: Uint8Array, isLast: boolean): Uint8Array[] => {
    try {
      stream.push(bytes, isLast)
    } catch (error) {
      throw broken('zstd', error)
    }
    const given = ready
    ready = []
    return given
  }
  for await (const chunk of packed)
    for (let at = 0; at < chunk.length; at += pieceOfZstd) yield* push(chunk.subarray(at, at + pieceOfZstd), false)
  yield* push(new Uint8Array(), true)
}

const isOfZlib = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')

const broken = (what: string, error: unknown): Refusal =>
  new Refusal(`its ${what} is cut or broken: ${error instanceof Error ? error.message : String(error)}`)
