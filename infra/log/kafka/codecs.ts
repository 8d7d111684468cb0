/** The codecs by which producers pack messages: they are only read, and none unpacks more than a bound. */
import { promisify } from 'node:util'
import { unzip } from 'node:zlib'
import { Decompress } from 'fzstd'
import { compressors } from 'hyparquet-compressors'
import kafkajs from 'kafkajs'

const { CompressionCodecs, CompressionTypes } = kafkajs

/** Of one batch of a producer, unpacked, in bytes. */
const longest = 128 * 1024 * 1024

const tooLong = () => new Error(`a batch of messages has over ${longest} bytes once it is unpacked`)

function bounded(length: number): number {
  if (length <= longest) return length
  throw tooLong()
}

const unpackGzip = (packed: Buffer): Promise<Buffer> =>
  promisify(unzip)(packed, { maxOutputLength: longest }).catch((error: unknown) => {
    throw error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? tooLong() : error
  })

function unpackZstd(packed: Buffer): Buffer {
  if (packed.length === 0) throw new Error('a batch packed by zstd is empty')
  const blocks: Uint8Array[] = []
  let sum = 0
  // The next block is written over the bytes of the one before.
  const stream = new Decompress((block) => {
    sum = bounded(sum + block.length)
    blocks.push(block.slice())
  })
  for (let at = 0; at < packed.length; at += zstdPiece) stream.push(packed.subarray(at, at + zstdPiece))
  stream.push(new Uint8Array(), true)
  return Buffer.concat(blocks)
}

/** Blocks of zstd come once the piece that they are packed in is read; one of four bytes gives 128 KB. */
const zstdPiece = 1024

const bytesOf = (found: Uint8Array): Buffer => Buffer.from(found.buffer, found.byteOffset, found.byteLength)

function unpackPart(codec: 'SNAPPY' | 'LZ4_RAW', packed: Uint8Array, length: number): Buffer {
  const unpack = compressors[codec]
  if (!unpack) throw new Error(`there is no codec ${codec}`)
  return bytesOf(unpack(packed, bounded(length)))
}

/** A block of Snappy begins with its length unpacked, seven bits a byte. */
function unpackSnappyBlock(block: Uint8Array): Buffer {
  let length = 0
  for (let at = 0, scale = 1; at < 5; at++, scale *= 128) {
    const byte = block[at] ?? 0
    length += (byte & 127) * scale
    if (byte < 128) return unpackPart('SNAPPY', block, length)
  }
  throw new Error('a batch packed by Snappy has no length')
}

/** The bytes that Java's library writes in front of its blocks. */
const xerial = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0])
const xerialHeader = 16

function unpackSnappy(packed: Buffer): Buffer {
  if (!packed.subarray(0, xerial.length).equals(xerial)) return unpackSnappyBlock(packed)
  const blocks: Buffer[] = []
  for (let at = xerialHeader, sum = 0; at < packed.length; ) {
    const length = packed.readUInt32BE(at)
    const block = unpackSnappyBlock(packed.subarray(at + 4, at + 4 + length))
    sum = bounded(sum + block.length)
    blocks.push(block)
    at += 4 + length
  }
  return Buffer.concat(blocks)
}

/** The length of an LZ4 block unpacked, by its lengths alone (LZ4 Block Format Description). */
function lengthOfLz4(block: Uint8Array): number {
  let [at, length] = [0, 0]
  const more = (short: number): number => {
    let whole = short
    for (let byte = short === 15 ? 255 : 0; byte === 255; whole += byte) byte = block[at++] ?? 0
    return whole
  }
  while (at < block.length) {
    const token = block[at++] ?? 0
    const literals = more(token >> 4)
    at += literals
    length += literals
    if (at >= block.length) break
    at += 2
    length += more(token & 15) + 4
  }
  return length
}

const lz4Magic = 0x184d2204

/** LZ4 Frame Format Description; checksums are left to Kafka's own. */
function unpackLz4(packed: Buffer): Buffer {
  if (packed.readUInt32LE(0) !== lz4Magic) throw new Error('a batch is no frame of LZ4')
  const flags = packed.readUInt8(4)
  const [isIndependent, hasBlockSums] = [(flags & 32) !== 0, (flags & 16) !== 0]
  const blocks: Buffer[] = []
  const begin = 7 + ((flags & 8) !== 0 ? 8 : 0) + ((flags & 1) !== 0 ? 4 : 0)
  for (let at = begin, sum = 0; at + 4 <= packed.length; ) {
    const size = packed.readUInt32LE(at)
    const length = size & 0x7fffffff
    if (length === 0) break
    const block = packed.subarray(at + 4, at + 4 + length)
    if (!isIndependent && blocks.length > 0) throw new Error('a frame of LZ4 whose blocks need each other is not read')
    const isPlain = size > 0x7fffffff
    blocks.push(isPlain ? block : unpackPart('LZ4_RAW', block, lengthOfLz4(block)))
    sum = bounded(sum + (blocks.at(-1)?.length ?? 0))
    at += 4 + length + (hasBlockSums ? 4 : 0)
  }
  return Buffer.concat(blocks)
}

const readOnly = (unpack: (packed: Buffer) => Buffer | Promise<Buffer>) => () => ({
  compress: (): Promise<Buffer> => Promise.reject(new Error('Weir writes no such batches')),
  decompress: async (packed: Buffer): Promise<Buffer> => unpack(packed),
})

/** Lets kafkajs read batches of these codecs. */
export function registerCodecs(): void {
  CompressionCodecs[CompressionTypes.GZIP] = readOnly(unpackGzip)
  CompressionCodecs[CompressionTypes.Snappy] = readOnly(unpackSnappy)
  CompressionCodecs[CompressionTypes.LZ4] = readOnly(unpackLz4)
  CompressionCodecs[CompressionTypes.ZSTD] = readOnly(unpackZstd)
}
