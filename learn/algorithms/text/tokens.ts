/** A word, a number or a sign of a text; `start` and `end` count UTF-16 code units, `end` exclusive. */
export type Token = { readonly text: string; readonly start: number; readonly end: number }

/** Writing systems without blanks between words (Thai to Khmer, kana, Han): each character is a token. */
const alone =
  '[\\u0E00-\\u0EFF\\u1000-\\u109F\\u1780-\\u17FF\\u3040-\\u30FF\\u3400-\\u9FFF\\uF900-\\uFAFF\\u{20000}-\\u{3FFFF}]'

/**
 * Tried in this order: one such character, a run of other letters and marks, a run of digits, one sign. All other
 * characters (blanks, controls) separate. It stands in a model's metadata, so that others can cut texts alike.
 */
export const tokenPattern = `${alone}|(?:(?!${alone})[\\p{L}\\p{M}])+|\\p{N}+|[\\p{P}\\p{S}]`

const pattern = new RegExp(tokenPattern, 'gu')

export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  for (const { 0: word, index } of text.matchAll(pattern)) {
    tokens.push({ text: word, start: index, end: index + word.length })
  }
  return tokens
}
