/**
 * InfluxDB's line protocol, read in one pass: `measurement,tag=a,tag=b field=1,field="text" 1700000000000000000`.
 * A point ends with its line, but for a text in quotes, which may hold line feeds. Escapes, and the
 * characters that end a name, are those of InfluxData's own decoder, whose corpus the tests ask.
 */
import { isUtf8 } from 'node:buffer'
import type { Json } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'

export type Point = {
  readonly measurement: string
  readonly tags: readonly (readonly [key: string, value: string])[]
  readonly fields: readonly (readonly [key: string, value: Json])[]
  /** In the unit of the request; absent where the line has none. */
  readonly time?: bigint
}

/** The lines that a point was read from: the number of the first one, and the place of the text in the body as `text` has it. */
export type PointPlace = { readonly line: number; readonly start: number; readonly end: number }
export type ReadPoint = PointPlace & ({ readonly point: Point } | { readonly error: Refusal })

const lineFeed = 10
const carriageReturn = 13
const space = 32
const quote = 34
const hash = 35
const comma = 44
const equals = 61
const backslash = 92

/** The ASCII characters of `text` by their codes, with those that are not printed where `isUnprinted` says so. */
function setOf(text: string, isUnprinted: boolean): Uint8Array {
  const set = new Uint8Array(128)
  for (const each of text) set[each.charCodeAt(0)] = 1
  if (isUnprinted) for (let code = 0; code < 128; code++) if (code < space || code === 127) set[code] = 1
  return set
}

/** By the code of the character behind a backslash: the character that both stand for. */
function escapesOf(pairs: Readonly<Record<string, string>>): readonly (string | undefined)[] {
  const table: (string | undefined)[] = new Array(128).fill(undefined)
  for (const [from, to] of Object.entries(pairs)) table[from.charCodeAt(0)] = to
  return table
}

/** A kind of token: the characters that end it, and those that a backslash takes into it. */
type Token = { readonly ends: Uint8Array; readonly escapes: readonly (string | undefined)[] }

const measurementToken: Token = { ends: setOf(', ', true), escapes: escapesOf({ ',': ',', ' ': ' ' }) }
const keyToken: Token = { ends: setOf(',= ', true), escapes: escapesOf({ ',': ',', '=': '=', ' ': ' ' }) }
const textToken: Token = {
  ends: setOf('"', false),
  escapes: escapesOf({ '"': '"', '\\': '\\', n: '\n', r: '\r', t: '\t' }),
}
const bareToken: Token = { ends: setOf(', \r\n', false), escapes: [] }
const timeEnds = (code: number): boolean => !(code === 45 || (code >= 48 && code <= 57))

const booleans: Readonly<Record<string, boolean>> = {
  ...{ t: true, T: true, true: true, True: true, TRUE: true },
  ...{ f: false, F: false, false: false, False: false, FALSE: false },
}
const decimal = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/
const integer = /^-?\d+$/
const digits = /^\d+$/
const [minInt64, maxInt64, maxUInt64] = [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 64n - 1n]
/** A number of so many characters is none of 64 bits; a bigint of millions of digits takes a quadratic time to read. */
const longestInteger = 40
const shownCharacters = 60

/** A body as text: where some of it is no UTF-8, each character is a byte, and each token is decoded by itself. */
export type LineText = { readonly text: string; readonly isBytes: boolean }
export const lineTextOf = (body: Buffer): LineText =>
  isUtf8(body) ? { text: body.toString('utf8'), isBytes: false } : { text: body.toString('latin1'), isBytes: true }

/** Reads points one after the other; one that is wrong costs its own line alone. */
export class LineReader {
  readonly #text: string
  readonly #isBytes: boolean
  #at = 0
  #line = 1

  constructor({ text, isBytes }: LineText) {
    this.#text = text
    this.#isBytes = isBytes
  }

  /** The next point; undefined at the end. */
  next(): ReadPoint | undefined {
    const badComment = this.#skipToPoint()
    if (badComment === undefined && this.#at >= this.#text.length) return undefined
    const [start, line] = [this.#at, this.#line]
    try {
      if (badComment) throw badComment
      const point = this.#point()
      const end = this.#at
      this.#endLine()
      return { point, line, start, end }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.#leaveLine()
      return { error, line, start, end: this.#at }
    } finally {
      this.#count(start)
    }
  }

  #count(from: number): void {
    for (let at = this.#text.indexOf('\n', from); at !== -1 && at < this.#at; at = this.#text.indexOf('\n', at + 1))
      this.#line++
  }

  #code(): number {
    return this.#at < this.#text.length ? this.#text.charCodeAt(this.#at) : -1
  }

  /** Skips blank lines and comments; a comment that has a character that is not printed is a fault. */
  #skipToPoint(): Refusal | undefined {
    for (;;) {
      this.#skipSpaces()
      const code = this.#code()
      if (code === hash) {
        const end = this.#text.indexOf('\n', this.#at)
        const comment = this.#text.slice(this.#at, end === -1 ? this.#text.length : end)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
        if (/[\u0000-\u001f\u007f]/.test(comment.replace(/\r$/, '')))
          return new Refusal('the comment has a character that is not printed')
        this.#at += comment.length
      } else if (code === lineFeed || (code === carriageReturn && this.#isEndOfLine())) this.#endLineCounted()
      else return undefined
    }
  }

  #skipSpaces(): void {
    while (this.#code() === space) this.#at++
  }

  #isEndOfLine(): boolean {
    const code = this.#code()
    if (code === -1 || code === lineFeed) return true
    return (
      code === carriageReturn &&
      (this.#at + 1 === this.#text.length || this.#text.charCodeAt(this.#at + 1) === lineFeed)
    )
  }

  #endLine(): void {
    if (this.#code() === carriageReturn) this.#at++
    if (this.#code() === lineFeed) this.#at++
  }

  #endLineCounted(): void {
    const from = this.#at
    this.#endLine()
    this.#count(from)
  }

  #leaveLine(): void {
    const feed = this.#text.indexOf('\n', this.#at)
    this.#at = feed === -1 ? this.#text.length : feed + 1
  }

  #point(): Point {
    const measurement = this.#take(measurementToken, 'the measurement')
    if (measurement === '') throw new Refusal(`a measurement begins a line, not ${this.#found()}`)
    const tags: [string, string][] = []
    while (this.#code() === comma) {
      this.#at++
      tags.push(this.#tag())
    }
    if (this.#code() !== space)
      throw new Refusal(
        `a space and a field come behind the ${tags.length > 0 ? 'tags' : 'measurement'}, not ${this.#found()}`,
      )
    checkTags(tags)
    this.#skipSpaces()
    const fields = [this.#field()]
    while (this.#code() === comma) {
      this.#at++
      fields.push(this.#field())
    }
    const time = this.#time()
    return { measurement, tags, fields, ...(time !== undefined && { time }) }
  }

  #tag(): [string, string] {
    const key = this.#take(keyToken, 'the key of a tag')
    if (key === '') throw new Refusal(`a comma and the key of a tag come here, not ${this.#found()}`)
    if (this.#code() !== equals) throw new Refusal(`tag ${shown(key)}: = comes behind its key, not ${this.#found()}`)
    this.#at++
    const value = this.#take(keyToken, 'the value of a tag')
    if (value === '') throw new Refusal(`tag ${shown(key)}: has no value`)
    return [key, value]
  }

  #field(): [string, Json] {
    const key = this.#take(keyToken, 'the key of a field')
    if (key === '') throw new Refusal(`the key of a field comes here, not ${this.#found()}`)
    if (this.#code() !== equals) throw new Refusal(`field ${shown(key)}: = comes behind its key, not ${this.#found()}`)
    this.#at++
    const value = this.#value(key)
    const isBetween = this.#code() === comma || this.#code() === space || this.#isEndOfLine()
    // A carriage return amid a line is a fault of what comes behind the fields.
    if (!isBetween && this.#code() !== carriageReturn)
      throw new Refusal(
        `field ${shown(key)}: a comma, a space or the end of the line comes behind it, not ${this.#found()}`,
      )
    return [key, value]
  }

  #value(key: string): Json {
    if (this.#code() === quote) {
      this.#at++
      const value = this.#take(textToken, `field ${shown(key)}`)
      if (this.#code() !== quote)
        throw new Refusal(`field ${shown(key)}: no quote ends its text, which takes all that follows`)
      this.#at++
      return value
    }
    const bare = this.#take(bareToken, `field ${shown(key)}`)
    const value = bareValue(bare)
    if (value === undefined)
      throw new Refusal(
        `field ${shown(key)}: ${shown(bare)} is no number, no integer within 64 bits (1i, 1u), no boolean and no text in quotes`,
      )
    return value
  }

  #time(): bigint | undefined {
    this.#skipSpaces()
    const start = this.#at
    while (this.#at < this.#text.length && !timeEnds(this.#code())) this.#at++
    const text = this.#text.slice(start, this.#at)
    const isSpaced = this.#code() === space
    this.#skipSpaces()
    if (!this.#isEndOfLine())
      throw new Refusal(
        `the end of the line comes behind the ${text !== '' && isSpaced ? 'time' : 'fields and their time'}, not ${this.#found()}`,
      )
    if (text === '') return undefined
    const time = integerIn(text, integer)
    if (time === undefined || time < minInt64 || time > maxInt64)
      throw new Refusal(`the time ${shown(text)} is no integer of 64 bits`)
    return time
  }

  /** A token, without the backslashes of its escapes. */
  #take({ ends, escapes }: Token, what: string): string {
    const text = this.#text
    let from = this.#at
    let at = from
    let taken = ''
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === backslash) {
        const stands = escapes[text.charCodeAt(at + 1)]
        if (stands === undefined) continue
        taken += text.slice(from, at) + stands
        from = at + 2
        at++
      } else if (code < 128 && ends[code] === 1) break
    }
    taken += text.slice(from, at)
    this.#at = at
    return this.#isBytes ? decoded(taken, what) : taken
  }

  #found(): string {
    const code = this.#code()
    return code === -1 ? 'the end of the body' : shown(String.fromCodePoint(this.#text.codePointAt(this.#at) ?? code))
  }
}

function checkTags(tags: readonly (readonly [string, string])[]): void {
  if (tags.length < 2) return
  const keys = new Set<string>()
  for (const [key] of tags) {
    if (keys.has(key)) throw new Refusal(`tag ${shown(key)}: is there twice`)
    keys.add(key)
  }
}

function bareValue(text: string): Json | undefined {
  if (Object.hasOwn(booleans, text)) return booleans[text]
  const kind = text.at(-1)
  if (kind === 'i' || kind === 'u') {
    const value = integerIn(text.slice(0, -1), kind === 'i' ? integer : digits)
    const [min, max] = kind === 'i' ? [minInt64, maxInt64] : [0n, maxUInt64]
    if (value === undefined || value < min || value > max) return undefined
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value
  }
  const number = decimal.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : undefined
}

/** Leading zeros count for nothing. */
function integerIn(text: string, form: RegExp): bigint | undefined {
  if (!form.test(text)) return undefined
  const short = text.length > longestInteger ? text.replace(/^(-?)0+(?=\d)/, '$1') : text
  return short.length > longestInteger ? undefined : BigInt(short)
}

function decoded(token: string, what: string): string {
  const bytes = Buffer.from(token, 'latin1')
  if (!isUtf8(bytes)) throw new Refusal(`${what} is no UTF-8`)
  return bytes.toString('utf8')
}

const shown = (text: string): string =>
  JSON.stringify(text.length > shownCharacters ? `${text.slice(0, shownCharacters)}...` : text)
