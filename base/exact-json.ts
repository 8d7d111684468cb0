import { parse, stringify } from 'lossless-json'

/**
 * JSON of a client's values, in which integers that no double holds are bigints, beside lines of a log, which may end
 * in half a character (`parseJson` refuses those).
 */
export function writeExactJson(value: unknown, space = 0): string {
  try {
    return JSON.stringify(value, undefined, space)
  } catch (error) {
    if (error instanceof TypeError) return stringify(value, undefined, space) ?? '' // JSON.stringify takes no bigint.
    throw error
  }
}

/** An integer with this many digits, or the likeness of one inside of a string. */
const long = /\d{17}|9\d{15}/

/** The inverse. */
export const parseExactJson = (text: string): unknown =>
  long.test(text) ? parse(text, undefined, { parseNumber }) : JSON.parse(text)

function parseNumber(text: string): number | bigint {
  const value = Number(text)
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(text) ? value : BigInt(text)
}
