import { parse } from 'lossless-json'

const longest = 100_000

/** Integers that a double would round come as bigints. */
const readNumber = (text: string) => (/^-?\d{16,19}$/.test(text) ? BigInt(text) : Number(text))

/** The JSON that a filter carries as a string; undefined where it is none. */
export const parseFilterQuery = (text: string): unknown => {
  if (text.length > longest) return undefined
  try {
    return parse(text, undefined, readNumber)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined
    throw error
  }
}
