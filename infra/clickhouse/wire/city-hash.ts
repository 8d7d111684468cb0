/**
 * CityHash128 in its version 1.0.2, by which ClickHouse checks its frames (Pike and Alakuijala, "CityHash", 2011).
 * Sums and products are of 64 bits.
 */
const k0 = 0xc3a5c85c97cb3127n
const k1 = 0xb492b66fbe98f273n
const k2 = 0x9ae16a3b2f90404fn
const k3 = 0xc949d7c7509e6557n
const kMul = 0x9ddfea08eb382d69n

type Pair = readonly [bigint, bigint]

const low = (value: bigint): bigint => BigInt.asUintN(64, value)
const rotate = (value: bigint, by: bigint): bigint => (by === 0n ? value : (value >> by) | low(value << (64n - by)))
const mix = (value: bigint): bigint => value ^ (value >> 47n)

function combine(u: bigint, v: bigint): bigint {
  const a = mix(low((u ^ v) * kMul))
  return low(mix(low((v ^ a) * kMul)) * kMul)
}

function short(bytes: Buffer): bigint {
  const size = bytes.length
  const length = BigInt(size)
  if (size > 8) {
    const last = bytes.readBigUInt64LE(size - 8)
    return combine(bytes.readBigUInt64LE(0), rotate(low(last + length), length)) ^ last
  }
  if (size >= 4) {
    return combine(length + (BigInt(bytes.readUInt32LE(0)) << 3n), BigInt(bytes.readUInt32LE(size - 4)))
  }
  if (size === 0) return k2
  const y = BigInt(bytes.readUInt8(0)) + (BigInt(bytes.readUInt8(size >> 1)) << 8n)
  const z = length + (BigInt(bytes.readUInt8(size - 1)) << 2n)
  return low(mix(low(y * k2) ^ low(z * k3)) * k2)
}

function weak(bytes: Buffer, at: number, seedA: bigint, seedB: bigint): Pair {
  const word = (i: number): bigint => bytes.readBigUInt64LE(at + 8 * i)
  const a = low(seedA + word(0))
  const b = rotate(low(seedB + a + word(3)), 21n)
  const sum = low(a + word(1) + word(2))
  return [low(sum + word(3)), low(b + rotate(sum, 44n) + a)]
}

function murmur(bytes: Buffer, [seedA, seedB]: Pair): Pair {
  const size = bytes.length
  let [a, b, c, d] = [seedA, seedB, 0n, 0n]
  if (size <= 16) {
    a = low(mix(low(a * k1)) * k1)
    c = low(b * k1 + short(bytes))
    d = mix(low(a + (size >= 8 ? bytes.readBigUInt64LE(0) : c)))
  } else {
    c = combine(low(bytes.readBigUInt64LE(size - 8) + k1), a)
    d = combine(low(b + BigInt(size)), low(c + bytes.readBigUInt64LE(size - 16)))
    a = low(a + d)
    for (let at = 0; at < size - 16; at += 16) {
      a = low((a ^ low(mix(low(bytes.readBigUInt64LE(at) * k1)) * k1)) * k1)
      b ^= a
      c = low((c ^ low(mix(low(bytes.readBigUInt64LE(at + 8) * k1)) * k1)) * k1)
      d ^= c
    }
  }
  a = combine(a, c)
  b = combine(d, b)
  return [a ^ b, combine(b, a)]
}

function long(bytes: Buffer, [seedX, seedY]: Pair): Pair {
  let [x, y, z] = [seedX, seedY, low(BigInt(bytes.length) * k1)]
  const first = low(rotate(y ^ k1, 49n) * k1 + bytes.readBigUInt64LE(0))
  let v: Pair = [first, low(rotate(first, 42n) * k1 + bytes.readBigUInt64LE(8))]
  let w: Pair = [low(rotate(low(y + z), 35n) * k1 + x), low(rotate(low(x + bytes.readBigUInt64LE(88)), 53n) * k1)]
  let at = 0
  for (; bytes.length - at >= 128; at += 128) {
    for (const half of [at, at + 64]) {
      x = low(rotate(low(x + y + v[0] + bytes.readBigUInt64LE(half + 16)), 37n) * k1) ^ w[1]
      y = low(rotate(low(y + v[1] + bytes.readBigUInt64LE(half + 48)), 42n) * k1) ^ v[0]
      z = rotate(z ^ w[0], 33n)
      v = weak(bytes, half, low(v[1] * k1), low(x + w[0]))
      w = weak(bytes, half + 32, low(z + w[1]), y)
      const swapped = z
      z = x
      x = swapped
    }
  }
  y = low(y + rotate(w[0], 37n) * k0 + z)
  x = low(x + rotate(low(v[0] + z), 49n) * k0)
  for (let done = 32; done - 32 < bytes.length - at; done += 32) {
    const tail = bytes.length - done
    y = low(rotate(low(y - x), 42n) * k0 + v[1])
    w = [low(w[0] + bytes.readBigUInt64LE(tail + 16)), w[1]]
    x = low(rotate(x, 49n) * k0 + w[0])
    w = [low(w[0] + v[0]), w[1]]
    v = weak(bytes, tail, v[0], v[1])
  }
  x = combine(x, v[0])
  y = combine(y, w[0])
  return [low(combine(low(x + v[1]), w[1]) + y), combine(low(x + w[1]), low(y + v[1]))]
}

/** The hash's lower and upper 64 bits. */
export function cityHash128(bytes: Buffer): Pair {
  const size = bytes.length
  if (size < 8) return murmur(bytes, [k0, k1])
  if (size < 16) {
    const seed: Pair = [bytes.readBigUInt64LE(0) ^ low(BigInt(size) * k0), bytes.readBigUInt64LE(size - 8) ^ k1]
    return murmur(Buffer.alloc(0), seed)
  }
  const rest = bytes.subarray(16)
  const seed: Pair = [bytes.readBigUInt64LE(0) ^ k3, bytes.readBigUInt64LE(8)]
  return rest.length < 128 ? murmur(rest, seed) : long(rest, seed)
}
