/**
 * Expressions over attributes. The wire marks an attribute with `$`; in words a name that no bracket follows is an
 * attribute, one in double quotes too, and in a condition between two events it begins with the event that it is of:
 * `this.price`. A text stands in single quotes in both.
 */
import type { Codec } from './codec.ts'

const name = '[A-Za-z_][A-Za-z0-9_]*'
const number = String.raw`(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?`
const quotedName = `"[^"]+"`
const quotedText = `'(?:[^']|'')*'`
/** A number first, since `1e5` has no name in it. */
const onWire = new RegExp(
  String.raw`${number}|\$(${name}(?:\.${name})*|${quotedName}|'[^']+')|${quotedText}|${name}`,
  'g',
)
const inWords = new RegExp(String.raw`${number}|${quotedName}|${quotedText}|${name}(?:\.${name})*(?=(\s*\()?)`, 'g')
/** A name may be called so in double quotes. */
const ownWords = /^(?:and|or|not|true|false)$/i
const isName = (token: string): boolean => /^[A-Za-z_"]/.test(token) && !ownWords.test(token)

/** The expression of the wire; a function is a name that a bracket follows. */
export function expressionToWire(text: string, prefix = ''): string {
  return text.replace(inWords, (token, bracket: string | undefined) => {
    if (!isName(token) || bracket !== undefined) return token
    return `$${token.startsWith(prefix) ? token.slice(prefix.length) : token}`
  })
}

const withoutTexts = (text: string): string => text.replace(new RegExp(quotedText, 'g'), "''")

/** The attributes that an expression in words names. */
export const namesOf = (text: string): readonly string[] =>
  [...text.matchAll(inWords)].flatMap(([token, bracket]) => (isName(token) && bracket === undefined ? [token] : []))

/** Undefined where words would say something else. */
export function expressionToWords(text: string, prefix = ''): string | undefined {
  let isSayable = true
  const words = text.replace(onWire, (token, attribute: string | undefined) => {
    if (attribute === undefined) return token
    if (prefix !== '' && /^["']/.test(attribute)) isSayable = false
    return `${prefix}${attribute}`
  })
  return isSayable && !withoutTexts(words).includes('$') && expressionToWire(words, prefix) === text ? words : undefined
}

export const expression: Codec = {
  toWire(words, at, to) {
    if (typeof words === 'number') return String(words)
    if (typeof words !== 'string') {
      to.fail(at, 'must be an expression, such as price * quantity')
      return undefined
    }
    if (withoutTexts(words).includes('$')) {
      to.fail(at, 'has a $: in words an attribute goes by its name alone, such as price * quantity')
      return undefined
    }
    return expressionToWire(words)
  },
  toWords: (wire) => (typeof wire === 'string' ? expressionToWords(wire) : undefined),
  schema: { type: 'string' },
}
