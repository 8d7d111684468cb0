/**
 * JSON text kept in value, not in form: blanks between tokens go, a string gets its shortest escapes, of members with one
 * name the last wins. Numbers stay as written and members in their order, which no JavaScript value would keep; only an
 * integer beyond 64 bits gets a `.0`, for ClickHouse reads no document that holds a bare one.
 *
 * The text has to be JSON already. Refused: nesting deeper than 200. One pass copies text that is in form already in
 * long slices: a document of 30 MB may hold millions of values, and others wait meanwhile.
 */
import { Refusal } from '../../base/refusal.ts'

const maxDepth = 200
const minInteger = -(2n ** 63n)
const greatestInteger = 2n ** 64n - 1n
/** Digits that a 64-bit integer may have, the sign included. */
const safeDigits = 18

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c]
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]
const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

export function canonicalJson(text: string): string {
  const reader = new Reader(text)
  reader.skipBlanks()
  return reader.value()
}

/** The members of an object's text in their order, each value canonical. */
export const jsonMembers = (text: string): Map<string, string> => new Reader(text).members()

/** The text of an object of canonical values. */
export const jsonObject = (members: ReadonlyMap<string, string>): string =>
  `{${[...members].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`

/** Thrown where an object has two members of one name, which is seldom: the value is read once more. */
const repeated = Symbol('repeated')

class Reader {
  readonly #text: string
  #at = 0
  /** The canonical text of the value in work so far, and where the text behind that begins. */
  #written = ''
  #copied = 0
  /** The first backslash that is not passed yet. */
  #backslash = -1
  /** Whether objects are read into maps: where one has two members of a name. */
  #byMembers = false

  constructor(text: string) {
    this.#text = text
  }

  skipBlanks(): void {
    while (isBlank(this.#text.charCodeAt(this.#at))) this.#at++
  }

  /** The members of the object that comes next. */
  members(depth = 0): Map<string, string> {
    const members = new Map<string, string>()
    this.skipBlanks()
    this.#at++
    this.skipBlanks()
    while (this.#text.charCodeAt(this.#at) !== closeObject) {
      const name: string = JSON.parse(this.#takeString())
      this.skipBlanks()
      this.#at++ // the colon
      this.skipBlanks()
      members.set(name, this.value(depth + 1))
      this.#afterComma()
    }
    this.#at++
    return members
  }

  /** The canonical text of the value that comes next. */
  value(depth = 0): string {
    const [start, written, copied] = [this.#at, this.#written, this.#copied]
    try {
      return this.#read(depth)
    } catch (error) {
      if (error !== repeated) throw error
      this.#at = start
      this.#backslash = -1
      this.#byMembers = true
      return this.#read(depth)
    } finally {
      this.#written = written
      this.#copied = copied
    }
  }

  #read(depth: number): string {
    this.#written = ''
    this.#copied = this.#at
    this.#pass(depth)
    const rest = this.#text.slice(this.#copied, this.#at)
    return this.#written + rest
  }

  /** Goes over a value, and notes where it is not in form. */
  #pass(depth: number): void {
    if (depth > maxDepth) throw new Refusal(`the document nests deeper than ${maxDepth}`)
    switch (this.#text.charCodeAt(this.#at)) {
      case openObject:
        this.#passObject(depth)
        return
      case openArray:
        this.#passArray(depth)
        return
      case quote:
        this.#passString()
        return
      default:
        this.#passScalar()
    }
  }

  #passArray(depth: number): void {
    this.#at++
    this.#dropBlanks()
    while (this.#text.charCodeAt(this.#at) !== closeArray) {
      this.#pass(depth + 1)
      this.#dropBlanks()
      if (this.#text.charCodeAt(this.#at) === comma) {
        this.#at++
        this.#dropBlanks()
      }
    }
    this.#at++
  }

  #passObject(depth: number): void {
    if (this.#byMembers) {
      this.#replace(this.#at, () => jsonObject(this.members(depth)))
      return
    }
    const names = new Names()
    this.#at++
    this.#dropBlanks()
    while (this.#text.charCodeAt(this.#at) !== closeObject) {
      const before = this.#at
      const isEscaped = this.#passString()
      const name = this.#text.slice(before, this.#at)
      if (names.has(isEscaped ? JSON.stringify(JSON.parse(name)) : name)) throw repeated
      this.#dropBlanks()
      this.#at++ // the colon
      this.#dropBlanks()
      this.#pass(depth + 1)
      this.#dropBlanks()
      if (this.#text.charCodeAt(this.#at) === comma) {
        this.#at++
        this.#dropBlanks()
      }
    }
    this.#at++
  }

  /** Whether the string has escapes. */
  #passString(): boolean {
    const start = this.#at
    this.#at = this.#endOfString()
    if (this.#backslash === -1 || this.#backslash >= this.#at) return false
    const found = this.#text.slice(start, this.#at)
    const shortest = JSON.stringify(JSON.parse(found))
    if (shortest !== found) this.#replace(start, () => shortest)
    return true
  }

  #passScalar(): void {
    const start = this.#at
    let code = this.#text.charCodeAt(this.#at)
    while (code !== comma && code !== closeArray && code !== closeObject && !isBlank(code) && !Number.isNaN(code)) {
      this.#at++
      code = this.#text.charCodeAt(this.#at)
    }
    if (this.#at - start <= safeDigits) return
    const found = this.#text.slice(start, this.#at)
    const text = readable(found)
    if (text !== found) this.#replace(start, () => text)
  }

  #takeString(): string {
    const start = this.#at
    this.#at = this.#endOfString()
    return this.#text.slice(start, this.#at)
  }

  /** Behind the string that begins here; its first backslash is noted, if it has one. */
  #endOfString(): number {
    const begin = this.#at + 1
    if (this.#backslash < begin) {
      const found = this.#text.indexOf('\\', begin)
      this.#backslash = found === -1 ? this.#text.length : found
    }
    let end = this.#text.indexOf('"', begin)
    if (this.#backslash > end) return end + 1
    while (this.#isEscaped(end)) end = this.#text.indexOf('"', end + 1)
    return end + 1
  }

  #isEscaped(at: number): boolean {
    let before = at
    while (this.#text.charCodeAt(before - 1) === backslash) before--
    return (at - before) % 2 === 1
  }

  /** Writes what `read` returns in place of the text from `start` to the place where `read` ends. */
  #replace(start: number, read: () => string): void {
    const before = this.#written + this.#text.slice(this.#copied, start)
    this.#written = before + read()
    this.#copied = this.#at
  }

  #dropBlanks(): void {
    if (!isBlank(this.#text.charCodeAt(this.#at))) return
    this.#written += this.#text.slice(this.#copied, this.#at)
    this.skipBlanks()
    this.#copied = this.#at
  }

  #afterComma(): void {
    this.skipBlanks()
    if (this.#text.charCodeAt(this.#at) !== comma) return
    this.#at++
    this.skipBlanks()
  }
}

/** The names of an object's members; most objects have few. */
class Names {
  #first: string | undefined
  #others: Set<string> | undefined

  /** Whether a name was there already; from now on it is. */
  has(name: string): boolean {
    if (this.#first === undefined) {
      this.#first = name
      return false
    }
    this.#others ??= new Set()
    if (name === this.#first || this.#others.has(name)) return true
    this.#others.add(name)
    return false
  }
}

function readable(scalar: string): string {
  if (!/^-?\d+$/.test(scalar)) return scalar
  const value = BigInt(scalar)
  return value < minInteger || value > greatestInteger ? `${scalar}.0` : scalar
}
