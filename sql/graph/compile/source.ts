import type { Params } from '../../query/compile/condition.ts'
import type { Cell } from './values/cell.ts'

/** A column that names and orders rows. */
export type KeyColumn = { readonly sql: string; readonly type: 'String' | 'Int64' }
export type Key = readonly KeyColumn[]

/** A key's columns as `k0`, `k1`, ... of a SELECT, and the key in these. */
export const selectedKey = (key: Key): string => key.map(({ sql }, number) => `${sql} AS k${number}`).join(', ')
export const namedKey = (key: Key): Key => key.map(({ type }, number) => ({ type, sql: `k${number}` }))

export const orderOf = (key: Key): string => key.map(({ sql }) => sql).join(', ')

/** The condition that a row comes behind another in the order of a key: column by column, as an index can tell. */
export const isBehind = (key: Key, place: readonly string[], params: Params): string =>
  key.reduceRight((rest, { sql, type }, number) => {
    const value = params.add(place[number] ?? '', type)
    return rest === '' ? `${sql} > ${value}` : `(${sql} > ${value} OR (${sql} = ${value} AND ${rest}))`
  }, '')

/** The first rows behind a place, where that is all that a page needs. */
export type Window = { readonly rows: number; readonly after?: readonly string[] }

/** A SELECT's rows within a window. */
export function windowOf(sql: string, key: Key, { rows, after }: Window, params: Params): string {
  const where = after === undefined ? '' : ` WHERE ${isBehind(key, after, params)}`
  return `SELECT * FROM (${sql})${where} ORDER BY ${orderOf(key)} LIMIT ${rows}`
}

/** The rows of a query before WHERE, DISTINCT, SORT and LIMIT. */
export type Source = {
  /** The table expression behind FROM, whose columns the rest names. */
  readonly from: string
  readonly conditions?: readonly string[]
  /** `x AS name` for expressions that the rest names. */
  readonly named?: readonly string[]
  /** ClickHouse's settings for these rows. */
  readonly settings?: Readonly<Record<string, number>>
  /** The row as the text of a JSON object. */
  readonly row: string
  /** The columns that name and order the row; absent where the row does so itself. */
  readonly key?: Key
  /** The columns that WHERE and SORT may name. */
  readonly cell: (column: string) => Cell
}

/** A SELECT's rows as a source. */
export const rowsFrom = (sql: string): string => `(${sql}) AS t`

/** A JSON object of members `"name":value` that are all there. */
export const wholeObject = (members: readonly string[]): string =>
  `concat('{', ${members.map((member) => `${member}, `).join("',', ")}'}')`

/** A JSON object of members `"name":value`, of which '' is none. */
export const jsonObject = (members: string): string =>
  `concat('{', arrayStringConcat(arrayFilter(m -> m != '', ${members}), ','), '}')`
