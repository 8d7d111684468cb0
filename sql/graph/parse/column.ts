import type { ColumnName } from '../ast.ts'
import type { Cursor } from './cursor.ts'

/** A set's `++` ends a query without a blank, too. */
export const columnWord = /(?:(?!\+\+)[^\s,(){}[\]"';=<>!~])+/y

/** A column of the output: a word (`b.name`, too), or anything in quotes. */
export function parseColumn(cursor: Cursor, expected = 'a column of the output'): ColumnName {
  const at = cursor.position
  const name = cursor.seesQuote ? cursor.takeQuoted().value : cursor.takeWord(columnWord)
  if (name === '') throw cursor.unexpected([expected])
  return { name, at }
}
