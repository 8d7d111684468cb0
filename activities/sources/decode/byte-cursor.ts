import { isUtf8 } from 'node:buffer'
import { Refusal } from '../../../base/refusal.ts'

/** The values that one message may still make: a few bytes can stand for any number of values that take none. */
export type Budget = { values: number }

/** Each value but an empty one takes a byte. */
const maxEmptyValues = 100_000
const maxLevels = 200
/** A 64-bit integer has at most these, seven bits in each. */
const maxVarint_bytes = 10
/** The bytes of a varint whose integer is put together without a bigint. */
const shortVarint_bytes = 4

/** Reads the binary forms of one message; a `Refusal` says why the message cannot be read. */
export class ByteCursor {
  readonly #bytes: Buffer
  readonly #budget: Budget
  #level: number
  #at = 0

  constructor(bytes: Buffer, budget: Budget = { values: bytes.length + maxEmptyValues }, level = 0) {
    if (level > maxLevels) throw tooDeep()
    this.#bytes = bytes
    this.#budget = budget
    this.#level = level
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  get place(): number {
    return this.#at
  }

  /** Goes a level deeper, from which `leave` comes back. */
  enter(): void {
    if (++this.#level > maxLevels) throw tooDeep()
  }

  leave(): void {
    this.#level--
  }

  /** A cursor over bytes of this one, a level deeper. */
  within(bytes: Buffer): ByteCursor {
    return new ByteCursor(bytes, this.#budget, this.#level + 1)
  }

  /** The bytes from a place up to here. */
  since(place: number, end = this.#at): Buffer {
    return this.#bytes.subarray(place, end)
  }

  /** Counts a value that is about to be made. */
  count(): void {
    if (--this.#budget.values < 0) throw new Refusal('the message stands for more values than it has bytes')
  }

  byte(): number {
    const value = this.#bytes[this.#at]
    if (value === undefined) throw tooShort()
    this.#at++
    return value
  }

  take(length: number | bigint): Buffer {
    if (length < 0 || length > this.left) throw tooShort()
    const start = this.#at
    this.#at += Number(length)
    return this.#bytes.subarray(start, this.#at)
  }

  text(length: number | bigint): string {
    const bytes = this.take(length)
    if (!isUtf8(bytes)) throw new Refusal('a text of the message is no UTF-8')
    return bytes.toString('utf8')
  }

  float(): number {
    return this.take(4).readFloatLE()
  }

  double(): number {
    return this.take(8).readDoubleLE()
  }

  /** An unsigned integer of up to 64 bits, seven bits a byte, the lowest first. */
  varint(): number | bigint {
    let value = 0
    for (let length = 0; length < shortVarint_bytes; length++) {
      const byte = this.byte()
      value |= (byte & 0x7f) << (7 * length)
      if (byte < 0x80) return value
    }
    let long = BigInt(value)
    for (let length = shortVarint_bytes; length < maxVarint_bytes; length++) {
      const byte = this.byte()
      long |= BigInt(byte & 0x7f) << BigInt(7 * length)
      if (byte < 0x80) return BigInt.asUintN(64, long)
    }
    throw new Refusal('an integer of the message has over 64 bits')
  }

  /** A signed integer of up to 64 bits, written as zigzag. */
  zigzag(): number | bigint {
    const value = this.varint()
    return typeof value === 'number' ? (value >>> 1) ^ -(value & 1) : (value >> 1n) ^ -(value & 1n)
  }
}

/** The number of an integer, where a double holds it exactly. */
export function exact(value: number | bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** JSON has neither NaN nor infinities. */
export const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

const tooDeep = () => new Refusal(`the message nests deeper than ${maxLevels}`)
const tooShort = () => new Refusal('the message ends before its last value does')
