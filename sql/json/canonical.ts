/**
 * JSON text kept in value, not in form: blanks between tokens go, a string gets its shortest escapes, of members with one
 * name the last wins. Numbers stay as written and members in their order, which no JavaScript value would keep; only an
 * integer beyond 64 bits gets a `.0`, for ClickHouse reads no document that holds a bare one.
 *
 * The text has to be JSON already. Refused: nesting deeper than 200.
 */
import { Refusal } from '../refusal.ts'

const maxDepth = 200
const leastInteger = -(2n ** 63n)
const greatestInteger = 2n ** 64n - 1n
/** Digits that a 64-bit integer may have, the sign included. */
const safeDigits = 18

type Piece = { readonly text: string; readonly end: number }

const blanks = /[ \t\r\n]*/y
const scalar = /[^ \t\r\n,\]}]+/y

export const canonicalJson = (text: string): string => valueAt(text, skip(text, 0), 0).text

/** The members of an object's text in their order, each value canonical. */
export const jsonMembers = (text: string): Map<string, string> => membersAt(text, skip(text, 0), 0).members

/** The text of an object of canonical values. */
export const jsonObject = (members: ReadonlyMap<string, string>): string =>
  `{${[...members].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`

function valueAt(text: string, start: number, depth: number): Piece {
  if (depth > maxDepth) throw new Refusal(`the document nests deeper than ${maxDepth}`)
  switch (text.charAt(start)) {
    case '{': {
      const { members, end } = membersAt(text, start, depth)
      return { text: jsonObject(members), end }
    }
    case '[':
      return arrayAt(text, start, depth)
    case '"':
      return stringAt(text, start)
    default: {
      const found = match(scalar, text, start)
      return { text: readable(found), end: start + found.length }
    }
  }
}

function membersAt(text: string, start: number, depth: number): { members: Map<string, string>; end: number } {
  const members = new Map<string, string>()
  let at = skip(text, start + 1)
  while (text.charAt(at) !== '}') {
    const name = stringAt(text, at)
    const value = valueAt(text, skip(text, skip(text, name.end) + 1), depth + 1)
    members.set(JSON.parse(name.text), value.text)
    at = afterComma(text, value.end)
  }
  return { members, end: at + 1 }
}

function arrayAt(text: string, start: number, depth: number): Piece {
  const items: string[] = []
  let at = skip(text, start + 1)
  while (text.charAt(at) !== ']') {
    const item = valueAt(text, at, depth + 1)
    items.push(item.text)
    at = afterComma(text, item.end)
  }
  return { text: `[${items.join(',')}]`, end: at + 1 }
}

function stringAt(text: string, start: number): Piece {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  const found = text.slice(start, end + 1)
  return { text: found.includes('\\') ? JSON.stringify(JSON.parse(found)) : found, end: end + 1 }
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0
  while (text.charAt(quote - 1 - backslashes) === '\\') backslashes++
  return backslashes % 2 === 1
}

function readable(scalar: string): string {
  if (scalar.length <= safeDigits || !/^-?\d+$/.test(scalar)) return scalar
  const value = BigInt(scalar)
  return value < leastInteger || value > greatestInteger ? `${scalar}.0` : scalar
}

const afterComma = (text: string, at: number): number => {
  const next = skip(text, at)
  return text.charAt(next) === ',' ? skip(text, next + 1) : next
}

const skip = (text: string, at: number): number => at + match(blanks, text, at).length

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}
