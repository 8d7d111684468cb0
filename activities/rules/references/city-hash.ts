/**
 * The 64-bit hash of texts by which ClickHouse tells different values apart: CityHash64 of version 1.0.2 (Geoff Pike and
 * Jyrki Alakuijala, 2011), which later versions differ from.
 */
const mask = (1n << 64n) - 1n
const k0 = 0xc3a5c85c97cb3127n
const k1 = 0xb492b66fbe98f273n
const k2 = 0x9ae16a3b2f90404fn
const k3 = 0xc949d7c7509e6557n
const kMul = 0x9ddfea08eb382d69n

const u64 = (value: bigint): bigint => BigInt.asUintN(64, value)
const rotate = (value: bigint, by: bigint): bigint => ((value >> by) | (value << (64n - by))) & mask
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
function half(a: bigint, second: bigint, third: bigint, fourth: bigint): [bigint, bigint] {
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

function weak(bytes: Buffer, place: number, seedA: bigint, seedB: bigint): [bigint, bigint] {
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

/** The hash of a whole number, or of the bits of a double. */
export function intHash64(value: bigint): bigint {
  const mixed = (bits: bigint): bigint => bits ^ (bits >> 33n)
  const once = u64(mixed(u64(value)) * 0xff51afd7ed558ccdn)
  return mixed(u64(mixed(once) * 0xc4ceb9fe1a85ec53n))
}
