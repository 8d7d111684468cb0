/** Batches of messages as producers pack them, made by zlib, by ClickHouse and by hand. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import test from 'ava'
import kafkajs from 'kafkajs'
import { registerCodecs } from '../../../../infra/log/kafka/codecs.ts'

const { CompressionCodecs, CompressionTypes } = kafkajs
registerCodecs()

type Codec = 'GZIP' | 'Snappy' | 'LZ4' | 'ZSTD'
const unpack = (codec: Codec, packed: Buffer): Promise<Buffer> =>
  CompressionCodecs[CompressionTypes[codec]]().decompress(packed)

const limit = 128 * 1024 * 1024
const over = /^a batch of messages has over 134217728 bytes once it is unpacked$/

/** A frame of zstd whose blocks are one byte each, 128 KB long (RFC 8878, "Blocks"). */
function zstdOf(blocks: number): Buffer {
  const frame = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38]
  const size = 128 * 1024
  for (let at = 0; at < blocks; at++) {
    const head = (size << 3) | (1 << 1) | (at === blocks - 1 ? 1 : 0)
    frame.push(head & 255, (head >> 8) & 255, head >> 16, 0x61)
  }
  return Buffer.from(frame)
}

/** A block of Snappy: its length, and a literal of one byte with copies of it (format description of Snappy). */
function snappyOf(length: number): Buffer {
  const head: number[] = []
  for (let left = length; ; left = Math.floor(left / 128)) {
    head.push((left % 128) | (left > 127 ? 128 : 0))
    if (left < 128) break
  }
  const copies = Math.ceil((length - 1) / 64)
  const parts = [Buffer.from([...head, 0, 0x61])]
  for (let at = 0, left = length - 1; at < copies; at++, left -= 64)
    parts.push(Buffer.from([((Math.min(64, left) - 1) << 2) | 2, 1, 0]))
  return Buffer.concat(parts)
}

/** A frame of LZ4 with one block: a literal of one byte, copies of it, and a literal of five at its end. */
function lz4Of(length: number): Buffer {
  const match = length - 6
  const more = match - 4 - 15
  const block = Buffer.concat([
    Buffer.from([0x1f, 0x61, 1, 0]),
    Buffer.alloc(Math.floor(more / 255), 255),
    Buffer.from([more % 255, 0x50]),
    Buffer.from('aaaaa'),
  ])
  const size = Buffer.alloc(4)
  size.writeUInt32LE(block.length)
  return Buffer.concat([Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0]), size, block, Buffer.alloc(4)])
}

const packings: Record<Codec, (length: number) => Promise<Buffer> | Buffer> = {
  GZIP: (length) => promisify(gzip)(Buffer.alloc(length, 'a')),
  Snappy: snappyOf,
  LZ4: lz4Of,
  ZSTD: (length) => zstdOf(length / (128 * 1024)),
}

for (const codec of ['GZIP', 'Snappy', 'LZ4', 'ZSTD'] as const) {
  test(`${codec}: a batch is unpacked, and one of more bytes than the bound is refused`, async (t) => {
    const few = 1024 * 1024
    t.true(Buffer.alloc(few, 'a').equals(await unpack(codec, await packings[codec](few))))
    const many = await packings[codec](limit + 1024 * 1024)
    t.true(many.length < limit / 10)
    await t.throwsAsync(unpack(codec, many), { message: over })
  })

  test(`${codec}: bytes that are none of it are an error`, async (t) => {
    for (const bytes of [Buffer.alloc(0), Buffer.from([0x28, 0xb5, 0x2f]), Buffer.alloc(64, 0xff)])
      await t.throwsAsync(async () => unpack(codec, bytes))
  })
}
