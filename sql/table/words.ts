/** Full-text match: which words a text holds, and the index that finds the records with them. */
import { literal } from '../literal.ts'
import type { Table } from './table.ts'

/**
 * As ClickHouse's tokenizer splitByNonAlpha: runs of ASCII letters and digits and of all that is not ASCII; but Unicode's
 * punctuation and blanks, such as a dash or a curly quote, part words too.
 */
export const wordsOf = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .replace(/[\p{P}\p{Z}]/gu, ' ')
      .match(/[a-z0-9\u0080-\u{10ffff}]+/gu) ?? [],
  ),
]

const separators = String.raw`[\\p{P}\\p{Z}]`
/** A backslash and the characters that it escapes: never a letter or digit of a canonical document. */
const escapes = String.raw`\\\\(u[0-9a-f]{4}|.)`

const spaced = (text: string, between: string): string => `lowerUTF8(replaceRegexpAll(${text}, '${between}', ' '))`

export const hasAllWords = (text: string, words: readonly string[]): string =>
  `hasAllTokens(${spaced(text, separators)}, [${words.map((word) => literal(word, 'String')).join(', ')}])`

/** The text of a row that its words are taken from; nothing of the copies under an index. */
const indexedText = ({ kind }: Pick<Table, 'kind'>): string =>
  `if(_index = 0, ${spaced('doc', kind === 'WIDE' ? `${escapes}|${separators}` : separators)}, '')`

export const wordIndex = 'words'

export const wordIndexDefinition = (table: Pick<Table, 'kind'>): string =>
  `INDEX ${wordIndex} (${indexedText(table)}) TYPE text(tokenizer = splitByNonAlpha)`

/** Rows that hold the words anywhere: more than those with them in one field, and found by the index. */
export const mayHoldWords = (table: Table, words: readonly string[]): string =>
  `hasAllTokens(${indexedText(table)}, [${words.map((word) => literal(word, 'String')).join(', ')}])`
