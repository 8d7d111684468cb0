import { randomKey } from './random-key.ts'

/** Texts, which are passed over, and whole numbers of sixteen digits or more: no digits of a fraction or an exponent. */
const longNumbers = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g
const key = randomKey()
/** It stands before a number's digits in a text for the time of one call: no text of others begins so. */
const mark = `\u0000${key}:`
const marks = new RegExp(`"\\\\u0000${key}:(-?\\d+)"`, 'g')

/**
 * Reads JSON. With `bigints` a whole number that no double holds is a bigint; without, it is the nearest number, as
 * JSON.parse has it.
 */
export function readJson(text: string, bigints: boolean): unknown {
  if (!bigints) return JSON.parse(text)
  let isLong = false
  const marked = text.replace(longNumbers, (found) => {
    if (found.startsWith('"') || Number.isSafeInteger(Number(found))) return found
    isLong = true
    return JSON.stringify(mark + found)
  })
  if (!isLong) return JSON.parse(text)
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  )
}

/** Writes JSON; a bigint is written as the number that it is. */
export function writeJson(value: unknown): string {
  let isLong = false
  const text = JSON.stringify(value, (_, each: unknown) => {
    if (typeof each !== 'bigint') return each
    isLong = true
    return mark + each
  })
  return isLong ? text.replaceAll(marks, '$1') : text
}
