import type { Cursor } from './cursor.ts'

/** Published clients write `_QLEX` where texts go by their bytes, as they always do. */
export const sortWords = ['SORT_ASC', 'SORT_DESC', 'SORT_ASC_QLEX', 'SORT_DESC_QLEX'] as const
/** The keywords that may stand behind the items of RETURN. */
export const clauses = ['EXCLUDE_GROUPBY', 'WHERE', ...sortWords, 'LIMIT']

const keywords = ['RETURN', ...clauses, 'AS', 'AND', 'OR']

/** Where a keyword stands in other letters than capitals. */
export function refuseLowerCase(cursor: Cursor): void {
  const word = cursor.source.match(/\w+/y, cursor.offset)
  const keyword = keywords.find((each) => each === word.toUpperCase())
  if (keyword !== undefined && keyword !== word) throw cursor.refusal(`keywords are upper case: ${keyword}`)
}
