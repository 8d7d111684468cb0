import { Fault } from '../../base/faults.ts'
import type { Position, Statement } from '../../sql/query/ast.ts'
import { PlacedRefusal } from '../../sql/query/placed-refusal.ts'
import type { Place } from '../keys/places.ts'

/** The place where a client goes on, from the last answer. */
export type Continuation = { readonly lastKey?: string; readonly cursor?: string }
export type StreamQuery = Continuation & {
  readonly text: string
  readonly eventual: boolean
  /** The time of which the windows of entities tell, in microseconds; absent: now. */
  readonly at_us?: number
  /** Whether a message may name things of that place; absent: of all. */
  readonly sees?: (place: Place) => boolean
}

export type Select<Kind> = Extract<Statement, { kind: Kind }>

const pageBytes = 4 * 1024 * 1024
/** Bounds an answer whose number of rows the client bounds. */
const limitedBytes = 32 * 1024 * 1024

/** The size, about, of a page of rows of a query with this limit. */
export const pageBytesOf = (limit: number | undefined): number => (limit === undefined ? pageBytes : limitedBytes)

/** Runs `find`; its refusals are reported at this place of the text. */
export function withPosition<Result>(at: Position, find: () => Result): Result {
  try {
    return find()
  } catch (error) {
    if (error instanceof Fault && error.kind === 'invalid') throw new PlacedRefusal(at, error.message)
    throw error
  }
}

export const now_us = (): number => Date.now() * 1000

/** As many of the rows as fit a page of `max` bytes, one at least; and whether some were left out. */
export function cutPage<Row>(
  rows: readonly Row[],
  sizeOf: (row: Row) => number,
  max: number,
): { shown: readonly Row[]; cut: boolean } {
  let bytes = 0
  const end = rows.findIndex((row, index) => {
    bytes += sizeOf(row)
    return bytes > max && index > 0
  })
  return end === -1 ? { shown: rows, cut: false } : { shown: rows.slice(0, end), cut: true }
}

/** Rows of the first fetch; the size of the rows that it brings decides how many the next one takes. */
const firstRows = 16
const maxRows = 50_000

export type Collecting<Row, Place> = {
  readonly after: Place | undefined
  /** The place behind the last of these rows, which were read from behind `after`. */
  readonly behind: (rows: readonly Row[], after: Place | undefined) => Place | undefined
  readonly sizeOf: (row: Row) => number
  readonly max: number
  readonly pageBytes: number
}

/** At most `max` rows, and not many more than a page of `pageBytes` holds. */
export async function collect<Row, Place>(
  fetch: (after: Place | undefined, rows: number) => Promise<readonly Row[]>,
  { after, behind, sizeOf, max, pageBytes }: Collecting<Row, Place>,
): Promise<Row[]> {
  const rows: Row[] = []
  let bytes = 0
  for (let step = firstRows; rows.length < max && bytes <= pageBytes; ) {
    const wanted = Math.min(step, max - rows.length)
    const found = await fetch(behind(rows, after), wanted)
    for (const row of found) {
      rows.push(row)
      bytes += sizeOf(row)
    }
    if (found.length < wanted) break
    const left = Math.ceil(((pageBytes - bytes) * rows.length) / bytes) + 1
    step = Math.max(1, Math.min(maxRows, 8 * step, left))
  }
  return rows
}
