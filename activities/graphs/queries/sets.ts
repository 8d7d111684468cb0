/** Sets over the rows of two queries by a column. A row is its members' JSON texts by name. */
import { fault } from '../../../infra/faults.ts'
import type { SetKind } from '../../../sql/graph/index.ts'

export type SetRow = ReadonlyMap<string, string>

/** What a join may come to. */
const mostRows = 1_000_000

/** `names` are the columns that the right query is sure to have, whatever rows it finds. */
type Combine = (
  left: readonly SetRow[],
  right: readonly SetRow[],
  column: string,
  names: readonly string[],
) => readonly SetRow[]

const textOf = (row: SetRow): string => JSON.stringify([...row].sort(([one], [other]) => (one < other ? -1 : 1)))

function byColumn(rows: readonly SetRow[], column: string): ReadonlyMap<string, readonly SetRow[]> {
  const groups = new Map<string, SetRow[]>()
  for (const row of rows) {
    const value = row.get(column)
    if (value === undefined) continue
    const group = groups.get(value)
    if (group) group.push(row)
    else groups.set(value, [row])
  }
  return groups
}

function join(
  left: readonly SetRow[],
  right: readonly SetRow[],
  column: string,
  otherwise: (row: SetRow) => readonly SetRow[],
) {
  const partners = byColumn(right, column)
  const rows: SetRow[] = []
  for (const row of left) {
    const found = partners.get(row.get(column) ?? '')
    // Where both have a column the left one's value stays.
    for (const joined of found?.map((partner) => new Map([...partner, ...row])) ?? otherwise(row)) rows.push(joined)
    if (rows.length > mostRows)
      throw fault('invalid', `the join has more than ${mostRows} rows; narrow one of the queries`)
  }
  return rows
}

export const combine: Readonly<Record<SetKind, Combine>> = {
  ADD: (left, right) => [...new Map([...left, ...right].map((row) => [textOf(row), row])).values()],
  SUBTRACT: (left, right, column) => {
    const taken = byColumn(right, column)
    return left.filter((row) => !taken.has(row.get(column) ?? ''))
  },
  JOIN: (left, right, column) => join(left, right, column, () => []),
  LEFT_JOIN: (left, right, column, names) => {
    const all = new Set([...names, ...right.flatMap((row) => [...row.keys()])])
    const nulls = [...all].map((name) => [name, 'null'] as const)
    return join(left, right, column, (row) => [new Map([...nulls, ...row])])
  },
  APPEND: (left, right) => [...left, ...right],
}
