/**
 * `system.parts` for analysts: how large tables are, without the places of their files. ClickHouse holds no grants of columns
 * against its system tables, so each mention of the table becomes a query of these columns alone.
 */
import { isSymbol, isWord } from './clauses.ts'
import { type Token, tokenize } from './lexer.ts'
import { clauseWords } from './words.ts'

export const partsTable = 'system.parts'

export const partsColumns: readonly string[] =
  `database table name partition partition_id part_type engine active visible level rows
  marks files bytes bytes_on_disk data_compressed_bytes data_uncompressed_bytes primary_key_size primary_key_bytes_in_memory
  primary_key_bytes_in_memory_allocated marks_bytes secondary_indices_compressed_bytes secondary_indices_uncompressed_bytes
  secondary_indices_marks_bytes modification_time refcount min_date max_date min_time max_time default_compression_codec`.split(
    /\s+/,
  )

const reduced = tokenize(` (SELECT ${partsColumns.join(', ')} FROM ${partsTable})`)
/** The tokens of that query before the table. */
const beforeTable = reduced.slice(0, -4)
const named = tokenize(' AS parts')

/** Words that may stand behind a table and are no other name of it. */
const behindTable =
  'INNER LEFT RIGHT FULL CROSS ANY ALL ASOF SEMI ANTI GLOBAL ARRAY PASTE FINAL SAMPLE EXCEPT SETTINGS FORMAT'

const isOtherName = (token: Token | undefined): boolean =>
  token?.kind === 'quoted' ||
  isWord(token, 'AS') ||
  (token?.kind === 'word' && !clauseWords.has(token.name.toLowerCase()) && !isWord(token, ...behindTable.split(' ')))

export function reduceParts(tokens: readonly Token[]): Token[] {
  const written: Token[] = []
  for (let i = 0; i < tokens.length; i++) {
    const [token, dot, table, next] = tokens.slice(i, i + 4)
    if (!token) break
    const before = tokens[i - 1]
    const isReduced = beforeTable.every((each, at) => tokens[i - beforeTable.length + at]?.text === each.text)
    const isTable = isWord(before, 'FROM', 'JOIN') || isSymbol(before, ',')
    const isParts = token.name === 'system' && isSymbol(dot, '.') && table?.name === 'parts'
    if (isReduced || !isTable || !isParts || isSymbol(next, '.') || isSymbol(next, '(')) {
      written.push(token)
      continue
    }
    written.push(...reduced, ...(isOtherName(next) ? [] : named))
    i += 2
  }
  return written
}
