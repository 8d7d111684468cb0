import type { Cursor } from './cursor.ts'

const keywords = ['RETURN', 'EXCLUDE_GROUPBY', 'WHERE', 'SORT_ASC', 'SORT_DESC', 'LIMIT', 'AS', 'AND', 'OR']

/** Where a keyword stands in other letters than capitals. */
export function refuseLowerCase(cursor: Cursor): void {
  const word = cursor.source.match(/\w+/y, cursor.offset)
  const keyword = keywords.find((each) => each === word.toUpperCase())
  if (keyword !== undefined && keyword !== word) throw cursor.refusal(`keywords are upper case: ${keyword}`)
}
