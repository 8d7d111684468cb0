import type { Statement } from '../../sql/query/ast.ts'

/** Where a client goes on: what the last answer told it. */
export type Continuation = { readonly lastKey?: string; readonly cursor?: string }
export type StreamQuery = Continuation & { readonly text: string; readonly eventual: boolean }

export type Select<Kind> = Extract<Statement, { kind: Kind }>

/** About what a page of rows holds. */
export const pageBytes = 4 * 1024 * 1024

export const now_us = (): number => Date.now() * 1000

/** As many of the rows as fit a page, one at least; and whether some were left out. */
export function cutPage<Row>(
  rows: readonly Row[],
  sizeOf: (row: Row) => number,
): { shown: readonly Row[]; cut: boolean } {
  let bytes = 0
  const end = rows.findIndex((row, index) => {
    bytes += sizeOf(row)
    return bytes > pageBytes && index > 0
  })
  return end === -1 ? { shown: rows, cut: false } : { shown: rows.slice(0, end), cut: true }
}
