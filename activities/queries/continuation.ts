import { Fault } from '../../base/faults.ts'
import type { Position, Statement } from '../../sql/query/ast.ts'
import { PlacedRefusal } from '../../sql/query/placed-refusal.ts'

/** Where a client goes on: what the last answer told it. */
export type Continuation = { readonly lastKey?: string; readonly cursor?: string }
export type StreamQuery = Continuation & { readonly text: string; readonly eventual: boolean }

export type Select<Kind> = Extract<Statement, { kind: Kind }>

const pageBytes = 4 * 1024 * 1024
/** Bounds an answer whose number of rows the client bounds. */
const limitedBytes = 32 * 1024 * 1024

/** About what a page of rows holds, of a query with this limit. */
export const pageBytesOf = (limit: number | undefined): number => (limit === undefined ? pageBytes : limitedBytes)

/** Runs `find`; what it refuses is told at this place of the text. */
export function toldAt<Result>(at: Position, find: () => Result): Result {
  try {
    return find()
  } catch (error) {
    if (error instanceof Fault && error.kind === 'invalid') throw new PlacedRefusal(at, error.message)
    throw error
  }
}

export const now_us = (): number => Date.now() * 1000

/** As many of the rows as fit a page of `most` bytes, one at least; and whether some were left out. */
export function cutPage<Row>(
  rows: readonly Row[],
  sizeOf: (row: Row) => number,
  most: number,
): { shown: readonly Row[]; cut: boolean } {
  let bytes = 0
  const end = rows.findIndex((row, index) => {
    bytes += sizeOf(row)
    return bytes > most && index > 0
  })
  return end === -1 ? { shown: rows, cut: false } : { shown: rows.slice(0, end), cut: true }
}
