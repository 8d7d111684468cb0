import { isUtf8 } from 'node:buffer'
import { parse as parseLossless } from 'lossless-json'
import { fault } from './faults.ts'

/** A member's value as JSON gives it; an integer that no double holds exactly comes as a bigint. */
export type Json = null | boolean | number | bigint | string | Json[] | { [name: string]: Json }

/** The same, of a value that stays as it is. */
type FixedJson =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly FixedJson[]
  | { readonly [name: string]: FixedJson }

/** Text that JSON.parse would round, or turn into Infinity or half a character; it may also match inside of strings. */
const delicate = /(?:^|[:,[\s])-?(?:\d{17}|9\d{15}|\d+(?:\.\d+)?[eE]\+?\d{3})|\\u[dD][89a-fA-F]/

/** Parses one JSON text. A number that no double can hold is kept exactly or refused, never rounded. */
export function parseJson(text: string, what: string): Json {
  if (opensTooMuch(text)) throw fault('invalid', `${what} is nested too deep`)
  try {
    const value: Json = JSON.parse(text)
    return delicate.test(text) ? parseExactly(text, value) : value
  } catch (error) {
    if (error instanceof SyntaxError)
      throw fault('invalid', `${what} is no JSON: ${placed(reasonOf(error, text), text)}`)
    if (error instanceof RangeError) throw fault('invalid', `${what} is nested too deep`)
    throw error
  }
}

const maxLevels = 200

const isNest = (value: Json | undefined): value is Json[] | { [name: string]: Json } =>
  typeof value === 'object' && value !== null

/** Millions of values are gone over in a fraction of a second: no list of them is made. */
function isDeeper(nest: Json[] | { [name: string]: Json }, levels: number): boolean {
  if (levels === 0) return true
  if (Array.isArray(nest)) return nest.some((each) => isNest(each) && isDeeper(each, levels - 1))
  for (const name in nest) {
    const each = nest[name]
    if (isNest(each) && isDeeper(each, levels - 1)) return true
  }
  return false
}

/**
 * Parses JSON that is kept and written anew: JSON that would then be nested too deep for a writer is refused at once.
 */
export function parseShallowJson(text: string, what: string): Json {
  const value = parseJson(text, what)
  if (isNest(value) && isDeeper(value, maxLevels)) throw fault('invalid', `${what} nests deeper than ${maxLevels}`)
  return value
}

export type Event = { [name: string]: Json }

/** An own member: an attribute may be called `constructor`. */
export const member = <Value>(of: { readonly [name: string]: Value }, name: string): Value | undefined =>
  Object.hasOwn(of, name) ? of[name] : undefined

export function memberAt(event: Event, path: readonly string[]): Json | undefined {
  let value: Json | undefined = event
  for (const name of path) {
    if (!isObject(value)) return undefined
    value = member(value, name)
  }
  return value
}

const min = -(2n ** 63n)
const max = 2n ** 64n - 1n

/** A number beyond 64 bits has as many digits, where it has no exponent. */
const manyDigits = 19
const [zero, nine] = [48, 57]

/** Whether a text has that many digits in a row, which a look at one character in as many cannot miss. */
function hasManyDigits(text: string): boolean {
  const isDigit = (at: number): boolean => text.charCodeAt(at) >= zero && text.charCodeAt(at) <= nine
  for (let at = manyDigits - 1; at < text.length; at += manyDigits) {
    let [first, last] = [at, at]
    if (!isDigit(at)) continue
    while (isDigit(first - 1)) first--
    while (isDigit(last + 1)) last++
    if (last - first + 1 >= manyDigits) return true
  }
  return false
}

/**
 * The inverse of `parseJson`. ClickHouse reads no JSON with a bare integer beyond 64 bits: such an integer ends in
 * `.0`.
 */
export function writeJson(value: FixedJson): string {
  try {
    const text = JSON.stringify(value)
    return hasManyDigits(text) ? writeExactly(value) : text
  } catch (error) {
    if (error instanceof TypeError) return writeExactly(value) // JSON.stringify takes no bigint.
    throw error
  }
}

/** From here on JavaScript writes a number with an exponent. */
const firstWithExponent = 1e21
const isBeyond = (value: number | bigint): boolean => value < min || value > max

function writeExactly(value: FixedJson): string {
  if (typeof value === 'bigint') return isBeyond(value) ? `${value}.0` : String(value)
  if (typeof value === 'number' && isBeyond(value) && Math.abs(value) < firstWithExponent) return `${value}.0`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(writeExactly).join(',')}]`
  return `{${Object.entries(value)
    .map(([name, each]) => `${JSON.stringify(name)}:${writeExactly(each)}`)
    .join(',')}}`
}

/** The bytes of a body as text. */
export function utf8(body: Buffer, what: string): string {
  if (!isUtf8(body)) throw fault('invalid', `${what} is no UTF-8`)
  const text = body.toString('utf8')
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

export const isObject = (value: Json | undefined): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** V8's message, but where it shows the text in place of a position: then the other parser's. */
function reasonOf({ message }: SyntaxError, text: string): string {
  if (!message.endsWith('is not valid JSON')) return message
  try {
    parseLossless(text, null, { onDuplicateKey: ({ newValue }) => newValue })
  } catch (error) {
    if (error instanceof SyntaxError) return error.message
  }
  return message
}

/** Adds line and column to V8's `... at position 17`; a text that ends too early has its end for a position. */
function placed(message: string, text: string): string {
  const offset = Number(/at position (\d+)/.exec(message)?.[1] ?? (text.trim() === '' ? 0 : text.length))
  const before = text.slice(0, offset).split('\n')
  const said = message.replace(/(?: in JSON)? at position \d+.*$/s, '')
  return `${said} at position ${offset} (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`
}

function parseExactly(text: string, rounded: Json): Json {
  if (/\\u[dD][89a-fA-F]/.test(text)) refuseHalfCharacters(rounded)
  return parseLossless(text, null, { parseNumber, onDuplicateKey: ({ newValue }) => newValue }) as Json
}

function parseNumber(text: string): number | bigint {
  const value = Number(text)
  if (!Number.isFinite(value))
    throw fault('invalid', `${text.slice(0, 40)} is a number that neither a double nor an int64 holds`)
  const whole = /^(-?\d+)(?:\.0+)?$/.exec(text)?.[1]
  return Number.isSafeInteger(value) || whole === undefined ? value : BigInt(whole)
}

function refuseHalfCharacters(value: Json): void {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw fault('invalid', 'a string holds half a surrogate pair, which is no Unicode text')
  } else if (Array.isArray(value)) value.forEach(refuseHalfCharacters)
  else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      refuseHalfCharacters(name)
      refuseHalfCharacters(member)
    }
  }
}

/** From here on a text is looked over before it is parsed. */
const longText = 1024 * 1024
/** V8 spends seconds, and a gigabyte, on millions of brackets that are open at once. */
const maxOpen = 100_000

const [quote, backslash, bracket, bracketEnd, brace, braceEnd] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]

/** Whether a text has too many brackets open at once to be parsed; a short text never has. */
export function opensTooMuch(text: string): boolean {
  if (text.length < longText) return false
  let open = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = endOfString(text, at)
    } else if (code === bracket || code === brace) {
      if (++open > maxOpen) return true
    } else if (code === bracketEnd || code === braceEnd) open--
  }
  return false
}

/** The place of the quote that ends the string at `start`; the text's end where none does. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, place: number): boolean {
  let before = place
  while (text.charCodeAt(before - 1) === backslash) before--
  return (place - before) % 2 === 1
}
