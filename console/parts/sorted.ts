export type SortValue = string | number | bigint | boolean | undefined | null

export type Sort = { readonly column: string; readonly isDescending: boolean }

/** The sort that a click on a column's title asks for: upwards, then downwards, then none. */
export function nextSort(present: Sort | undefined, column: string): Sort | undefined {
  if (present?.column !== column) return { column, isDescending: false }
  return present.isDescending ? undefined : { column, isDescending: true }
}

/** The order of `rows` by their values, as indexes; equal ones stay in order, absent ones come last. */
export function sortedIndexes<Row>(
  rows: readonly Row[],
  valueOf: (row: Row) => SortValue,
  isDescending: boolean,
): Uint32Array {
  const values = rows.map(valueOf)
  const direction = isDescending ? -1 : 1
  return Uint32Array.from(values.keys()).sort((a, b) => {
    const [left, right] = [values[a], values[b]]
    const isLeftAbsent = left === undefined || left === null
    const isRightAbsent = right === undefined || right === null
    if (isLeftAbsent || isRightAbsent) return Number(isLeftAbsent) - Number(isRightAbsent) || a - b
    return direction * compare(left, right) || a - b
  })
}

function compare(left: string | number | bigint | boolean, right: string | number | bigint | boolean): number {
  const areNumbers = isNumeric(left) && isNumeric(right)
  if (areNumbers) return left < right ? -1 : Number(left > right)
  const [a, b] = [String(left), String(right)]
  return a < b ? -1 : Number(a > b)
}

const isNumeric = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'
