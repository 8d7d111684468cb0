const zero = 0x30
const hundredMillion = 100_000_000
/** The max bytes of a character of a JavaScript text, in UTF-8. */
const maxBytes = 3
const digitPlaces = 16

/** Bytes that grow at their end. */
export class LineBuffer {
  bytes: Buffer
  length = 0

  constructor(capacity: number) {
    this.bytes = Buffer.allocUnsafe(Math.max(64, Math.ceil(capacity)))
  }

  /** Makes room for `count` more bytes: before `put`, `copy` and `digits`, which look for none. */
  reserve(count: number): void {
    const needed = this.length + count
    if (needed <= this.bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.bytes.length))
    this.bytes.copy(larger, 0, 0, this.length)
    this.bytes = larger
  }

  put(text: Uint8Array): void {
    this.copy(text, 0, text.length)
  }

  /** Short runs of bytes: a loop takes less time than a call of the function that copies long ones. */
  copy(from: Uint8Array, start: number, end: number): void {
    const { bytes } = this
    let length = this.length
    for (let at = start; at < end; at++) bytes[length++] = from[at] ?? 0
    this.length = length
  }

  /** A whole number from 0 to below 10^16. */
  digits(number: number): void {
    const high = Math.floor(number / hundredMillion)
    this.length = high === 0 ? this.short(number) : this.padded(number - high * hundredMillion, this.short(high))
  }

  /** Any text. It makes room for itself. */
  text(text: string): void {
    this.reserve(maxBytes * text.length)
    this.length += this.bytes.write(text, this.length)
  }

  /** The bytes that it holds; the next line goes behind them. */
  taken(): Buffer {
    return this.bytes.subarray(0, this.length)
  }

  /** Below 10^8, without zeros in front. Returns where it ends. */
  private short(number: number): number {
    let places = 1
    for (let power = 10; power <= number && places < digitPlaces / 2; power *= 10) places++
    return this.fill(number, this.length, places)
  }

  private padded(number: number, start: number): number {
    return this.fill(number, start, digitPlaces / 2)
  }

  private fill(number: number, start: number, places: number): number {
    let rest = number | 0
    for (let at = start + places - 1; at >= start; at--) {
      const tens = (rest / 10) | 0
      this.bytes[at] = zero + rest - tens * 10
      rest = tens
    }
    return start + places
  }
}
