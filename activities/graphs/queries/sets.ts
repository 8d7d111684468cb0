/** Sets over the rows of queries by a column. A row is its members' JSON texts by name. */

import { Refusal } from '../../../base/refusal.ts'
import type { GraphSet, SetKind, Sort } from '../../../sql/graph/index.ts'
import { jsonMembers, jsonObject } from '../../../sql/json/canonical.ts'

/** A row of a query; or one of a join, which is put together when it is written. */
type SetRow = ReadonlyMap<string, string> | { readonly own: SetRow; readonly partner: SetRow }

/** The most rows of each step of a set, and the longest text of its answer. */
const maxRows = 1_000_000
const maxLength = 64 * 1024 * 1024

/** Rows, and the columns that their query is sure to have, whatever rows it finds. */
type SetRows = { readonly rows: readonly SetRow[]; readonly names: readonly string[] }
/** The same with a line of JSON a row, as ClickHouse sends them. */
export type SetLines = { readonly lines: Uint8Array; readonly names: readonly string[] }
export type SetHead = Pick<GraphSet, 'set' | 'column' | 'sort' | 'limit'>

/** A step of a set before it is taken, with the count of its rows: they are made one by one, as they are asked for. */
type Step = { readonly count: number; readonly rows: Iterable<SetRow> }
type Combine = (left: SetRows, right: SetRows, column: string) => Step

// Where both have a column the row's own value stays.
const valueOf = (row: SetRow, name: string): string | undefined =>
  'own' in row ? (valueOf(row.own, name) ?? valueOf(row.partner, name)) : row.get(name)
const membersOf = (row: SetRow): ReadonlyMap<string, string> =>
  'own' in row ? new Map([...membersOf(row.partner), ...membersOf(row.own)]) : row

const textOf = (row: SetRow): string =>
  JSON.stringify([...membersOf(row)].sort(([one], [other]) => (one < other ? -1 : 1)))

function byColumn(rows: readonly SetRow[], column: string): ReadonlyMap<string, readonly SetRow[]> {
  const groups = new Map<string, SetRow[]>()
  for (const row of rows) {
    const value = valueOf(row, column)
    if (value === undefined) continue
    const group = groups.get(value)
    if (group) group.push(row)
    else groups.set(value, [row])
  }
  return groups
}

/** `otherwise` makes the row for one without a partner; where it is undefined the row is left out. */
function join(
  left: readonly SetRow[],
  right: readonly SetRow[],
  column: string,
  otherwise?: (row: SetRow) => SetRow,
): Step {
  const partners = byColumn(right, column)
  const partnersOf = (row: SetRow): readonly SetRow[] | undefined => partners.get(valueOf(row, column) ?? '')
  const count = left.reduce((sum, row) => sum + (partnersOf(row)?.length ?? (otherwise ? 1 : 0)), 0)
  function* rows(): Iterable<SetRow> {
    for (const own of left) {
      const found = partnersOf(own)
      if (found) for (const partner of found) yield { own, partner }
      else if (otherwise) yield otherwise(own)
    }
  }
  return { count, rows: rows() }
}

const leftJoin: Combine = (left, right, column) => {
  const all = new Set([...right.names, ...right.rows.flatMap((row) => [...membersOf(row).keys()])])
  // The column that joins is the row's own: a row that lacks it goes without.
  const partner = new Map([...all].flatMap((name) => (name === column ? [] : [[name, 'null'] as const])))
  return join(left.rows, right.rows, column, (own) => ({ own, partner }))
}

const step = (rows: readonly SetRow[]): Step => ({ count: rows.length, rows })

/** The rows of `rows` whose value in the column the others have, or lack. */
function among(rows: readonly SetRow[], others: readonly SetRow[], column: string, isIn: boolean): Step {
  const values = byColumn(others, column)
  return step(rows.filter((row) => values.has(valueOf(row, column) ?? '') === isIn))
}

const combine: Readonly<Record<SetKind, Combine>> = {
  ADD: (left, right) => step([...new Map([...left.rows, ...right.rows].map((row) => [textOf(row), row])).values()]),
  SUBTRACT: (left, right, column) => among(left.rows, right.rows, column, false),
  JOIN: (left, right, column) => join(left.rows, right.rows, column),
  LEFT_JOIN: leftJoin,
  RIGHT_JOIN: (left, right, column) => leftJoin(right, left, column),
  APPEND: (left, right) => step([...left.rows, ...right.rows]),
  PIPE: (left, right, column) => among(right.rows, left.rows, column, true),
}

const joins: ReadonlySet<SetKind> = new Set(['JOIN', 'LEFT_JOIN', 'RIGHT_JOIN'])

/** How many rows a set may come to, by the lines of its queries: the lines of a join are multiplied. */
export function greatestSize(set: SetKind, each: readonly SetLines[]): number {
  const counts = each.map(({ lines }) => lines.reduce((count, byte) => (byte === 10 ? count + 1 : count), 0))
  // Each row of an outer join is there without a partner, too.
  return counts.reduce((all, count) => (joins.has(set) ? Math.max(1, all) * Math.max(1, count) : all + count))
}

/** The result of a set, from the left to the right, in its order and within its limit: rows as JSON texts. */
export function combined({ set, column, sort, limit }: SetHead, each: readonly SetLines[]): readonly string[] {
  const [first, ...others] = each.map(rowsOf)
  if (first === undefined) return []
  let left = first
  for (const [index, right] of others.entries()) {
    const { count, rows } = combine[set](left, right, column.name)
    const isCut = index === others.length - 1 && sort === undefined && limit !== undefined
    if (count > maxRows && !isCut)
      throw new Refusal(`the set has ${count} rows, and ${maxRows} are the limit; narrow its queries`)
    left = { rows: isCut ? firstOf(rows, limit) : [...rows], names: [...new Set([...left.names, ...right.names])] }
  }
  return texts((sort ? sorted(left.rows, sort) : left.rows).slice(0, limit))
}

function firstOf(rows: Iterable<SetRow>, max: number): SetRow[] {
  const taken: SetRow[] = []
  for (const row of rows) {
    if (taken.length >= max) break
    taken.push(row)
  }
  return taken
}

function texts(rows: readonly SetRow[]): string[] {
  let length = 0
  return rows.map((row) => {
    const text = jsonObject(membersOf(row))
    length += text.length
    if (length > maxLength)
      throw new Refusal(`the answer exceeds ${maxLength / 1024 / 1024} MB; narrow the queries, or add a LIMIT`)
    return text
  })
}

function rowsOf({ lines, names }: SetLines): SetRows {
  const texts = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength).toString('utf8').split('\n')
  return { rows: texts.filter((text) => text !== '').map(jsonMembers), names }
}

/** Numbers before texts, by their bytes, before rows without such a column, either way. */
function sorted(rows: readonly SetRow[], { column, descending }: Sort): readonly SetRow[] {
  const sign = descending ? -1 : 1
  const keyed = rows.map((row) => ({ row, key: sortKey(valueOf(row, column.name)) }))
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
