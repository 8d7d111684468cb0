/**
 * The hashes of texts by which ClickHouse tells different values apart (64 bits) and checks its frames (128 bits): CityHash
 * of version 1.0.2 (Geoff Pike and Jyrki Alakuijala, 2011), which later versions differ from. Sums and products are of 64 bits.
 */
const k0 = 0xc3a5c85c97cb3127n
const k1 = 0xb492b66fbe98f273n
const k2 = 0x9ae16a3b2f90404fn
const k3 = 0xc949d7c7509e6557n
const kMul = 0x9ddfea08eb382d69n

type Pair = readonly [low: bigint, high: bigint]

const u64 = (value: bigint): bigint => BigInt.asUintN(64, value)
const rotate = (value: bigint, by: bigint): bigint => u64((value >> by) | (value << (64n - by)))
const shiftMix = (value: bigint): bigint => value ^ (value >> 47n)

function mix(low: bigint, high: bigint): bigint {
  const a = shiftMix(u64((low ^ high) * kMul))
  return u64(shiftMix(u64((high ^ a) * kMul)) * kMul)
}

export function cityHash64(bytes: Buffer): bigint {
  const { length } = bytes
  if (length <= 16) return upTo16(bytes)
  if (length <= 32) return upTo32(bytes)
  return length <= 64 ? upTo64(bytes) : long(bytes)
}

function upTo16(bytes: Buffer): bigint {
  const { length } = bytes
  const n = BigInt(length)
  if (length > 8) {
    const b = bytes.readBigUInt64LE(length - 8)
    return mix(bytes.readBigUInt64LE(0), rotate(u64(b + n), n)) ^ b
  }
  if (length >= 4) return mix(n + (BigInt(bytes.readUInt32LE(0)) << 3n), BigInt(bytes.readUInt32LE(length - 4)))
  if (length === 0) return k2
  const at = (place: number): number => bytes[place] ?? 0
  const y = BigInt(at(0) + (at(length >> 1) << 8))
  const z = BigInt(length + (at(length - 1) << 2))
  return u64(shiftMix(u64(y * k2) ^ u64(z * k3)) * k2)
}

function upTo32(bytes: Buffer): bigint {
  const { length } = bytes
  const a = u64(bytes.readBigUInt64LE(0) * k1)
  const b = bytes.readBigUInt64LE(8)
  const c = u64(bytes.readBigUInt64LE(length - 8) * k2)
  const d = u64(bytes.readBigUInt64LE(length - 16) * k0)
  return mix(u64(rotate(u64(a - b), 43n) + rotate(c, 30n) + d), u64(a + rotate(b ^ k3, 20n) - c + BigInt(length)))
}

/** The sums of four words, beginning with `a`. */
function half(a: bigint, second: bigint, third: bigint, fourth: bigint): Pair {
  const b = rotate(u64(a + fourth), 52n)
  const afterTwo = u64(a + second)
  const c = u64(rotate(a, 37n) + rotate(afterTwo, 7n))
  const afterThree = u64(afterTwo + third)
  return [u64(afterThree + fourth), u64(b + rotate(afterThree, 31n) + c)]
}

function upTo64(bytes: Buffer): bigint {
  const { length } = bytes
  const word = (place: number): bigint => bytes.readBigUInt64LE(place)
  const begin = u64(word(0) + u64((BigInt(length) + word(length - 16)) * k0))
  const [vFirst, vSecond] = half(begin, word(8), word(16), word(24))
  const [wFirst, wSecond] = half(
    u64(word(16) + word(length - 32)),
    word(length - 24),
    word(length - 16),
    word(length - 8),
  )
  const r = shiftMix(u64((vFirst + wSecond) * k2 + (wFirst + vSecond) * k0))
  return u64(shiftMix(u64(r * k0 + vSecond)) * k2)
}

function weak(bytes: Buffer, place: number, seedA: bigint, seedB: bigint): Pair {
  const last = bytes.readBigUInt64LE(place + 24)
  const first = u64(seedA + bytes.readBigUInt64LE(place))
  const b = rotate(u64(seedB + first + last), 21n)
  const sum = u64(first + bytes.readBigUInt64LE(place + 8) + bytes.readBigUInt64LE(place + 16))
  return [u64(sum + last), u64(b + rotate(sum, 44n) + first)]
}

function long(bytes: Buffer): bigint {
  const { length } = bytes
  const word = (place: number): bigint => bytes.readBigUInt64LE(place)
  const n = BigInt(length)
  let y = word(length - 16) ^ k1
  let z = word(length - 56) ^ k0
  let v = weak(bytes, length - 64, n, y)
  let w = weak(bytes, length - 32, u64(n * k1), k0)
  z = u64(z + shiftMix(v[1]) * k1)
  let x = u64(rotate(u64(z + word(0)), 39n) * k1)
  y = u64(rotate(y, 33n) * k1)
  for (let place = 0; place < length - 64; place += 64) {
    x = u64(rotate(u64(x + y + v[0] + word(place + 16)), 37n) * k1)
    y = u64(rotate(u64(y + v[1] + word(place + 48)), 42n) * k1)
    x ^= w[1]
    y ^= v[0]
    z = rotate(z ^ w[0], 33n)
    v = weak(bytes, place, u64(v[1] * k1), u64(x + w[0]))
    w = weak(bytes, place + 32, u64(z + w[1]), y)
    ;[z, x] = [x, z]
  }
  return mix(u64(mix(v[0], w[0]) + shiftMix(y) * k1 + z), u64(mix(v[1], w[1]) + x))
}

function murmur(bytes: Buffer, [seedA, seedB]: Pair): Pair {
  const size = bytes.length
  let [a, b, c, d] = [seedA, seedB, 0n, 0n]
  if (size <= 16) {
    a = u64(shiftMix(u64(a * k1)) * k1)
    c = u64(b * k1 + upTo16(bytes))
    d = shiftMix(u64(a + (size >= 8 ? bytes.readBigUInt64LE(0) : c)))
  } else {
    c = mix(u64(bytes.readBigUInt64LE(size - 8) + k1), a)
    d = mix(u64(b + BigInt(size)), u64(c + bytes.readBigUInt64LE(size - 16)))
    a = u64(a + d)
    for (let at = 0; at < size - 16; at += 16) {
      a = u64((a ^ u64(shiftMix(u64(bytes.readBigUInt64LE(at) * k1)) * k1)) * k1)
      b ^= a
      c = u64((c ^ u64(shiftMix(u64(bytes.readBigUInt64LE(at + 8) * k1)) * k1)) * k1)
      d ^= c
    }
  }
  a = mix(a, c)
  b = mix(d, b)
  return [a ^ b, mix(b, a)]
}

function long128(bytes: Buffer, [seedX, seedY]: Pair): Pair {
  let [x, y, z] = [seedX, seedY, u64(BigInt(bytes.length) * k1)]
  const first = u64(rotate(y ^ k1, 49n) * k1 + bytes.readBigUInt64LE(0))
  let v: Pair = [first, u64(rotate(first, 42n) * k1 + bytes.readBigUInt64LE(8))]
  let w: Pair = [u64(rotate(u64(y + z), 35n) * k1 + x), u64(rotate(u64(x + bytes.readBigUInt64LE(88)), 53n) * k1)]
  let at = 0
  for (; bytes.length - at >= 128; at += 128) {
    for (const half of [at, at + 64]) {
      x = u64(rotate(u64(x + y + v[0] + bytes.readBigUInt64LE(half + 16)), 37n) * k1) ^ w[1]
      y = u64(rotate(u64(y + v[1] + bytes.readBigUInt64LE(half + 48)), 42n) * k1) ^ v[0]
      z = rotate(z ^ w[0], 33n)
      v = weak(bytes, half, u64(v[1] * k1), u64(x + w[0]))
      w = weak(bytes, half + 32, u64(z + w[1]), y)
      const swapped = z
      z = x
      x = swapped
    }
  }
  y = u64(y + rotate(w[0], 37n) * k0 + z)
  x = u64(x + rotate(u64(v[0] + z), 49n) * k0)
  for (let done = 32; done - 32 < bytes.length - at; done += 32) {
    const tail = bytes.length - done
    y = u64(rotate(u64(y - x), 42n) * k0 + v[1])
    w = [u64(w[0] + bytes.readBigUInt64LE(tail + 16)), w[1]]
    x = u64(rotate(x, 49n) * k0 + w[0])
    w = [u64(w[0] + v[0]), w[1]]
    v = weak(bytes, tail, v[0], v[1])
  }
  x = mix(x, v[0])
  y = mix(y, w[0])
  return [u64(mix(u64(x + v[1]), w[1]) + y), mix(u64(x + w[1]), u64(y + v[1]))]
}

/** The hash's lower and upper 64 bits. */
export function cityHash128(bytes: Buffer): Pair {
  const size = bytes.length
  if (size < 8) return murmur(bytes, [k0, k1])
  if (size < 16) {
    const seed: Pair = [bytes.readBigUInt64LE(0) ^ u64(BigInt(size) * k0), bytes.readBigUInt64LE(size - 8) ^ k1]
    return murmur(Buffer.alloc(0), seed)
  }
  const rest = bytes.subarray(16)
  const seed: Pair = [bytes.readBigUInt64LE(0) ^ k3, bytes.readBigUInt64LE(8)]
  return rest.length < 128 ? murmur(rest, seed) : long128(rest, seed)
}
