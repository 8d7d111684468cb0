/** Sets over the rows of queries by a column. A row is its members' JSON texts by name. */
import type { GraphSet, SetKind, Sort } from '../../../sql/graph/index.ts'
import { jsonMembers, jsonObject } from '../../../sql/json/canonical.ts'
import { Refusal } from '../../../sql/refusal.ts'

type SetRow = ReadonlyMap<string, string>

/** What a join may come to. */
const mostRows = 1_000_000

/** Rows, and the columns that their query is sure to have, whatever rows it finds. */
type SetRows = { readonly rows: readonly SetRow[]; readonly names: readonly string[] }
/** The same with a line of JSON a row, as ClickHouse sends them. */
export type SetLines = { readonly lines: Uint8Array; readonly names: readonly string[] }
export type SetHead = Pick<GraphSet, 'set' | 'column' | 'sort' | 'limit'>

type Combine = (left: SetRows, right: SetRows, column: string) => readonly SetRow[]

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
    if (rows.length > mostRows) throw new Refusal(`the join has more than ${mostRows} rows; narrow one of the queries`)
  }
  return rows
}

const leftJoin: Combine = (left, right, column) => {
  const all = new Set([...right.names, ...right.rows.flatMap((row) => [...row.keys()])])
  // The column that joins is the row's own: a row that lacks it goes without.
  const nulls = [...all].flatMap((name) => (name === column ? [] : [[name, 'null'] as const]))
  return join(left.rows, right.rows, column, (row) => [new Map([...nulls, ...row])])
}

/** Those of `rows` whose value in the column the others have, or lack. */
function among(rows: readonly SetRow[], others: readonly SetRow[], column: string, isIn: boolean): readonly SetRow[] {
  const values = byColumn(others, column)
  return rows.filter((row) => values.has(row.get(column) ?? '') === isIn)
}

const combine: Readonly<Record<SetKind, Combine>> = {
  ADD: (left, right) => [...new Map([...left.rows, ...right.rows].map((row) => [textOf(row), row])).values()],
  SUBTRACT: (left, right, column) => among(left.rows, right.rows, column, false),
  JOIN: (left, right, column) => join(left.rows, right.rows, column, () => []),
  LEFT_JOIN: leftJoin,
  RIGHT_JOIN: (left, right, column) => leftJoin(right, left, column),
  APPEND: (left, right) => [...left.rows, ...right.rows],
  PIPE: (left, right, column) => among(right.rows, left.rows, column, true),
}

/** What a set comes to, from the left to the right, in its order and within its limit: rows as JSON texts. */
export function combined({ set, column, sort, limit }: SetHead, each: readonly SetLines[]): readonly string[] {
  const { rows } = each.map(rowsOf).reduce((left, right) => ({
    rows: combine[set](left, right, column.name),
    names: [...new Set([...left.names, ...right.names])],
  }))
  return (sort ? sorted(rows, sort) : rows).slice(0, limit).map(jsonObject)
}

function rowsOf({ lines, names }: SetLines): SetRows {
  const texts = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength).toString('utf8').split('\n')
  return { rows: texts.filter((text) => text !== '').map(jsonMembers), names }
}

/** Numbers before texts, by their bytes, before what has no such column, either way. */
function sorted(rows: readonly SetRow[], { column, descending }: Sort): readonly SetRow[] {
  const sign = descending ? -1 : 1
  const keyed = rows.map((row) => ({ row, key: sortKey(row.get(column.name)) }))
  const compare = (one: SortKey, other: SortKey): number =>
    one.rank - other.rank || sign * (one.number - other.number || Buffer.compare(one.text, other.text))
  return keyed.sort((one, other) => compare(one.key, other.key)).map(({ row }) => row)
}

type SortKey = { readonly rank: number; readonly number: number; readonly text: Buffer }

function sortKey(json: string | undefined): SortKey {
  if (json === undefined || json === 'null') return { rank: 2, number: 0, text: Buffer.alloc(0) }
  const number = Number(json)
  if (!Number.isNaN(number)) return { rank: 0, number, text: Buffer.alloc(0) }
  return { rank: 1, number: 0, text: Buffer.from(json.startsWith('"') ? String(JSON.parse(json)) : json) }
}
