/** Powers of ten that a double holds exactly. */
const powersOfTen = Float64Array.from({ length: 23 }, (_, power) => 10 ** power)
/** So many digits make a whole number below 2^53, and a fraction whose shortest text is the one that was read. */
const sureDigits = 15

const [tab, lineFeed, carriageReturn, blank] = [0x09, 0x0a, 0x0d, 0x20]
const [quote, backslash, minus, dot, zero, nine] = [0x22, 0x5c, 0x2d, 0x2e, 0x30, 0x39]
const ofTrue = Buffer.from('true')
const ofFalse = Buffer.from('false')

/**
 * Reads the tokens of a JSON text out of its UTF-8 bytes, those alone that would be written as they stand: a text without
 * escapes, a number of few digits in the form in which JavaScript prints it. A method that reads a token says whether there
 * is one of the kind; `at` is then behind it, else anywhere: perhaps beyond `end`, never before the start.
 */
export class TokenCursor {
  bytes: Buffer = ofTrue
  at = 0
  end = 0
  /** The value of the number that was read last. */
  number = 0

  skipBlanks(): void {
    const { bytes } = this
    let at = this.at
    for (; at < this.end; at++) {
      const byte = bytes[at]
      if (byte !== blank && byte !== tab && byte !== lineFeed && byte !== carriageReturn) break
    }
    this.at = at
  }

  takes(byte: number): boolean {
    if (this.at >= this.end || this.bytes[this.at] !== byte) return false
    this.at++
    return true
  }

  /** The same, and the blanks behind it. */
  passes(byte: number): boolean {
    if (!this.takes(byte)) return false
    this.skipBlanks()
    return true
  }

  text(): boolean {
    const { bytes, end } = this
    if (this.at >= end || bytes[this.at] !== quote) return false
    for (let at = this.at + 1; at < end; at++) {
      const byte = bytes[at] ?? 0
      if (byte === quote) {
        this.at = at + 1
        return true
      }
      if (byte === backslash || byte < blank) return false
    }
    return false
  }

  /** A whole number that a double holds exactly, -0 excepted. */
  long(): boolean {
    const isNegative = this.takes(minus)
    const first = this.bytes[this.at]
    const digits = this.digits(0)
    if (digits === 0 || digits > sureDigits + 1 || (digits > sureDigits && first === nine)) return false
    if (first === zero && (digits > 1 || isNegative)) return false
    if (isNegative) this.number = -this.number
    return true
  }

  double(): boolean {
    const isNegative = this.takes(minus)
    const { bytes } = this
    const first = this.bytes[this.at]
    const whole = this.digits(0)
    if (whole === 0 || whole > sureDigits || (first === zero && whole > 1)) return false
    if (this.at < this.end && bytes[this.at] === dot) {
      this.at++
      const start = this.at
      const fraction = this.digits(this.number)
      // A last 0 would not be printed, and a number below a millionth would be printed with an exponent.
      if (fraction === 0 || whole + fraction > sureDigits || bytes[this.at - 1] === zero) return false
      if (first === zero && fraction > 6 && bytes[start] === zero) return false
      this.number /= powersOfTen[fraction] ?? 1
    } else if (isNegative && first === zero) return false
    if (isNegative) this.number = -this.number
    return true
  }

  bool(): boolean {
    const word = this.bytes[this.at] === ofTrue[0] ? ofTrue : ofFalse
    const end = this.at + word.length
    if (end > this.end) return false
    for (let i = 0; i < word.length; i++) if (this.bytes[this.at + i] !== word[i]) return false
    this.at = end
    return true
  }

  /** Appends digits to a number, which is `number` then; returns how many there were. */
  private digits(before: number): number {
    const { bytes, at: start, end } = this
    let number = before
    let at = start
    for (; at < end; at++) {
      const byte = bytes[at] ?? 0
      if (byte < zero || byte > nine) break
      number = number * 10 + (byte - zero)
    }
    this.at = at
    this.number = number
    return at - start
  }
}
