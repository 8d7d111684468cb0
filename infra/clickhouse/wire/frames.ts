import { setTimeout as sleep } from 'node:timers/promises'
import { cityHash128 } from '../../../base/city-hash.ts'

const lz4 = 0x82
const header = { checksum: 16, sizes: 9 }

const slice = 16 * 1024
/** The event loop is also ingest's: of its time framing takes at most a quarter. */
const rest = 3

/** ClickHouse's frames of LZ4 (`compress=1`), whose blocks are literals alone: readable for all, and not smaller. */
export async function* framed(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; at += slice) {
      const began = performance.now()
      const whole = frame(Buffer.from(chunk.subarray(at, at + slice)))
      await sleep(Math.ceil((performance.now() - began) * rest))
      yield whole
    }
  }
}

/** Checksum, method, size with the header's nine bytes, size unpacked, block. */
export function frame(bytes: Buffer): Buffer {
  const block = literals(bytes)
  const whole = Buffer.alloc(header.checksum + header.sizes + block.length)
  whole.writeUInt8(lz4, 16)
  whole.writeUInt32LE(header.sizes + block.length, 17)
  whole.writeUInt32LE(bytes.length, 21)
  block.copy(whole, 25)
  const [low, high] = cityHash128(whole.subarray(header.checksum))
  whole.writeBigUInt64LE(low, 0)
  whole.writeBigUInt64LE(high, 8)
  return whole
}

/** An LZ4 block of one sequence: a token, the rest of the length in bytes of at most 255, the bytes. */
function literals(bytes: Buffer): Buffer {
  if (bytes.length < 15) return Buffer.concat([Buffer.from([bytes.length << 4]), bytes])
  const beyond = bytes.length - 15
  const length = Buffer.alloc(Math.floor(beyond / 255) + 1, 255)
  length[length.length - 1] = beyond % 255
  return Buffer.concat([Buffer.from([0xf0]), length, bytes])
}
