/**
 * The version of a row that is written: `{version:UInt64}`, or where that is not greater than the versions of the row which
 * are kept, the next one. Another process, or one with a clock that was ahead, may have written them: the later write counts.
 */
export function versionAfter(table: string, key: readonly string[]): string {
  const isRow = key.map((column) => `${column} = {${column}:String}`).join(' AND ')
  return `greatest({version:UInt64}, (SELECT max(version) + 1 FROM weir.${table} WHERE ${isRow}))`
}
