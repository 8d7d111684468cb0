/**
 * Hops of a window as one text. A memory that has many keys reads, copies and writes a text at once, where a list is gone
 * over item by item; and a text grows by a hop without the others being looked at.
 *
 * Each hop is its items, and how many hops later the next one is. All characters are below 128: a byte each in UTF-8. The
 * first of an item tells its kind; the rest of it, if any, are digits of seven bits.
 */

/** Up to `small` an integer is its own character; up to 2,047 it has one more. */
const small = 0x60
const ofTwo = 0x60
/** Integers of 2, 3, 4, 5 and 8 digits. */
const ofDigits = 0x70
const digitsOf = [2, 3, 4, 5, 8]
const negative = 0x75
/** The bits of a double: ten digits. */
const double = 0x76
const nothing = 0x77
/** The number of its decimal digits, and those. */
const big = 0x78
/** The number of its items, and those. */
const list = 0x79

const double64 = new Float64Array(1)
const bits = new Uint32Array(double64.buffer)

function putDigits(into: number[], value: number, count: number): void {
  let rest = value
  for (let digit = 0; digit < count; digit++) {
    into.push(rest % 128)
    rest = Math.floor(rest / 128)
  }
}

function putInteger(into: number[], value: number): void {
  if (value < small) into.push(value)
  else if (value < 2 ** 11) into.push(ofTwo + (value & 15), value >> 4)
  else {
    const kind = digitsOf.findIndex((digits) => value < 128 ** digits)
    into.push(ofDigits + kind)
    putDigits(into, value, digitsOf[kind] ?? 8)
  }
}

function putDouble(into: number[], value: number): void {
  double64[0] = value
  into.push(double)
  for (const half of bits)
    into.push(half & 127, (half >>> 7) & 127, (half >>> 14) & 127, (half >>> 21) & 127, half >>> 28)
}

function put(into: number[], item: unknown): void {
  if (typeof item === 'number') {
    if (!Number.isSafeInteger(item) || Object.is(item, -0)) putDouble(into, item)
    else if (item >= 0) putInteger(into, item)
    else {
      into.push(negative)
      putInteger(into, -item)
    }
  } else if (item === null || item === undefined) into.push(nothing)
  else if (typeof item === 'bigint') {
    const decimal = String(item)
    into.push(big)
    putInteger(into, decimal.length)
    for (let at = 0; at < decimal.length; at++) into.push(decimal.charCodeAt(at))
  } else if (Array.isArray(item)) {
    into.push(list)
    putInteger(into, item.length)
    for (const each of item) put(into, each)
  } else throw new TypeError(`a hop has no ${typeof item}`)
}

/** Few enough for the arguments of one call. */
const charactersAtOnce = 4_096

/** The items of a hop and `gap`, by how many hops the next one is later. */
export function hopText(items: readonly unknown[], gap: number): string {
  const codes: number[] = []
  for (const item of items) put(codes, item)
  putInteger(codes, gap)
  if (codes.length <= charactersAtOnce) return String.fromCharCode.apply(undefined, codes)
  let text = ''
  for (let at = 0; at < codes.length; at += charactersAtOnce)
    text += String.fromCharCode.apply(undefined, codes.slice(at, at + charactersAtOnce))
  return text
}

/** The characters of the text that is read, how many they are, and the place in them. */
let bytes = Buffer.alloc(4_096)
let [end, at] = [0, 0]

function begin({ text }: HopText): void {
  if (text.length > bytes.length) bytes = Buffer.alloc(2 * text.length)
  bytes.write(text, 'latin1')
  end = text.length
  at = 0
}

function digits(count: number): number {
  let value = 0
  for (let digit = count; digit > 0; digit--) value = value * 128 + (bytes[at + digit - 1] ?? 0)
  at += count
  return value
}

/** Half of a double. */
function half(): number {
  const value =
    (bytes[at] ?? 0) |
    ((bytes[at + 1] ?? 0) << 7) |
    ((bytes[at + 2] ?? 0) << 14) |
    ((bytes[at + 3] ?? 0) << 21) |
    ((bytes[at + 4] ?? 0) << 28)
  at += 5
  return value
}

function integer(): number {
  const first = bytes[at++] ?? 0
  if (first < small) return first
  if (first < ofDigits) return first - ofTwo + (bytes[at++] ?? 0) * 16
  return digits(digitsOf[first - ofDigits] ?? 8)
}

function item(): unknown {
  const first = bytes[at] ?? 0
  if (first < negative) return integer()
  at++
  if (first === negative) return -integer()
  if (first === double) {
    bits[0] = half()
    bits[1] = half()
    return double64[0]
  }
  if (first === nothing) return null
  const count = integer()
  if (first === list) return Array.from({ length: count }, item)
  at += count
  return BigInt(bytes.toString('latin1', at - count, at))
}

function skip(): void {
  const first = bytes[at++] ?? 0
  if (first < ofTwo) return
  if (first < ofDigits) at++
  else if (first < negative) at += digitsOf[first - ofDigits] ?? 8
  else if (first === double) at += 10
  else if (first === big) {
    const length = integer()
    at += length
  } else if (first === negative) skip()
  else if (first === list) for (let left = integer(); left > 0; left--) skip()
}

/** Hops as a text, the first of which has the number `start`. */
export type HopText = { readonly start: number; readonly text: string }

/** The numbers of hops from `first` to `last`, each of which has `width` items. */
export type HopRange = { readonly first: number; readonly last: number; readonly width: number }

/** The hop that is read. */
const read: unknown[] = []

/** Visits the hops of a text that are in a range; `hop` has the items of one until the next one is read. */
export function eachHop(of: HopText, range: HopRange, visit: (hop: readonly unknown[], number: number) => void): void {
  const { first, last, width } = range
  begin(of)
  let number = of.start
  while (at < end && number < first) {
    for (let index = 0; index < width; index++) skip()
    number += integer()
  }
  read.length = width
  while (at < end && number <= last) {
    for (let index = 0; index < width; index++) read[index] = item()
    const gap = integer()
    visit(read, number)
    number += gap
  }
}
