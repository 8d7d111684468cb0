/**
 * A value of a row in SQL. `json` is JSON text, '' where it is missing; `text` a String and `count` a UInt64 that are
 * always there; `number` a Nullable(Float64).
 */
import { microsecondsOf } from './dates.ts'

export type Cell = {
  readonly kind: 'json' | 'text' | 'number' | 'count'
  readonly sql: string
  /** A grouping value: JSON text, in which a missing value is the text NULL. */
  readonly isGroup?: true
}

/** A cell under an alias, so that expressions on it do not repeat its SQL. */
export const named = ({ kind }: Cell, alias: string): Cell => ({ kind, sql: alias })

export function isThere({ kind, sql }: Cell): string {
  if (kind === 'json') return `${sql} != ''`
  return kind === 'number' ? `isNotNull(${sql})` : '1'
}

/** The number that a cell is; NULL for text. */
export function numberOf({ kind, sql }: Cell): string {
  if (kind === 'json') return `toFloat64OrNull(${sql})`
  if (kind === 'text') return "CAST(NULL, 'Nullable(Float64)')"
  return kind === 'count' ? `toFloat64(${sql})` : sql
}

/** The number that a cell is, or its text says; NULL for other text. */
export function numberIn(cell: Cell): string {
  if (cell.kind !== 'json' && cell.kind !== 'text') return numberOf(cell)
  return `arrayMap(v -> if(isFinite(v), v, NULL), [toFloat64OrNull(${textOf(cell)})])[1]`
}

/** The number that a cell counts as where one is needed: the text of a date is its microseconds. */
export function amountOf(cell: Cell): string {
  const { kind, sql } = cell
  if (kind === 'text') return microsecondsOf(sql)
  if (kind !== 'json') return numberOf(cell)
  return `if(startsWith(${sql}, '"'), ${microsecondsOf(`JSONExtractString(${sql})`)}, toFloat64OrNull(${sql}))`
}

/** Whether a cell compares as text: true and false are words. */
export function isText({ kind, sql }: Cell): string {
  if (kind === 'json') return `(startsWith(${sql}, '"') OR ${sql} IN ('true', 'false'))`
  return kind === 'text' ? '1' : '0'
}

/** A cell's text, without quotes. */
export function textOf({ kind, sql }: Cell): string {
  if (kind === 'json') return `if(startsWith(${sql}, '"'), JSONExtractString(${sql}), ${sql})`
  return kind === 'text' ? sql : `toString(${sql})`
}

/** A cell as JSON text, in one form for equal values, '' where it is missing. */
export function jsonOf({ kind, sql }: Cell): string {
  switch (kind) {
    case 'json':
      return `if(startsWith(${sql}, '"'), toJSONString(JSONExtractString(${sql})), ${sql})`
    case 'text':
      return `toJSONString(${sql})`
    case 'count':
      return `toString(${sql})`
    case 'number':
      return `ifNull(toString(${sql}), '')`
  }
}
