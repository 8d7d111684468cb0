import { missingSpellings } from './number-reader.ts'

const quoted = (word: string): string => `'${word.slice(0, 40)}'`

/** Oddities of words that are told apart: some differ in blanks or case alone, or blanks are a part of them. */
export function alikeNotes(words: readonly string[]): readonly string[] {
  const known = new Map<string, string>()
  for (const word of words) {
    const plain = word.trim().toLowerCase()
    const other = known.get(plain)
    if (other === undefined) known.set(plain, word)
    else {
      const how = word.trim() === other.trim() ? 'blanks' : 'case'
      return [`${quoted(other)} and ${quoted(word)} are two words, though they differ in ${how} alone`]
    }
  }
  const padded = words.filter((word) => word.trim() !== word)
  if (padded.length === 0) return []
  const some = padded.length === 1 ? '1 word has' : `${padded.length.toLocaleString('en-US')} words have`
  return [`${some} blanks at an end, such as ${quoted(padded[0] ?? '')}, which are a part of them`]
}

/** The same of labels, of which one may have been meant as missing. */
export function labelNotes(labels: readonly (number | string)[]): readonly string[] {
  const words = labels.map(String)
  const missing = words.find((word) => missingSpellings.includes(word.trim().toLowerCase()))
  const told =
    missing === undefined
      ? []
      : [`${quoted(missing)} is a label as others are; a row without a target has an empty cell there`]
  return [...alikeNotes(words), ...told]
}
