import { type Row, rawNumber } from '../pages/page.ts'

/** The max rows of intervals without events in a row. */
const maxEmptyRows = 5_000

export type FillRequest = {
  /** Intervals that hold values, newest first. */
  readonly held: readonly { readonly start: bigint; readonly value: string }[]
  /** Whether older ones follow that are not in `held`. */
  readonly more: boolean
  /** The newest interval that is shown even when it is empty. */
  readonly newest: bigint
  readonly length: bigint
  readonly limit: number
  readonly valueOf: (text: string) => Row['v']
  readonly empty: string
}

/**
 * Puts rows for the intervals without events between those that have some. Answers at most `limit` rows, newest first,
 * and whether intervals remain behind them. They end before too many empty rows; where they begin with those, amid them.
 */
export function fillIntervals({ held, more, newest, length, limit, valueOf, empty }: FillRequest): {
  rows: Row[]
  more: boolean
} {
  const rows: Row[] = []
  let next = 0
  let start = newest
  const pushEmpty = (): void => {
    rows.push({ k: rawNumber(start), v: valueOf(empty) })
    start -= length
  }
  for (let row = held[next]; row && rows.length < limit; row = held[next]) {
    if (row.start >= start) {
      rows.push({ k: rawNumber(row.start), v: valueOf(row.value) })
      if (row.start === start) start -= length
      next++
      continue
    }
    const gap = Number((start - row.start + length - 1n) / length)
    const shown = Math.min(gap, limit - rows.length)
    if (shown > maxEmptyRows) {
      if (rows.length === 0) for (let count = 0; count < maxEmptyRows; count++) pushEmpty()
      return { rows, more: true }
    }
    for (let count = 0; count < shown; count++) pushEmpty()
  }
  return { rows, more: more || next < held.length }
}
