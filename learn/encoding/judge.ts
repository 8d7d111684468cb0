import type { Cell } from '../formats/row.ts'
import type { Kind } from '../layout.ts'
import { toNumber } from './number.ts'
import { dateOf, type NumberReader } from './number-reader.ts'

/** An open column is one of numbers where at least this share of its cells that are there are. */
const shareOfNumbers = 0.95

/** Counts how many of a column's cells that are there are numbers, dates among them. */
export function createJudge(read: NumberReader) {
  let present = 0
  let numbers = 0
  let dates = 0
  const see = (cell: Cell, number: number | undefined): void => {
    if (cell === undefined || Number.isNaN(number)) return
    present += 1
    if (number === undefined) return
    numbers += 1
    if (typeof cell === 'string' && toNumber(cell) === undefined && dateOf(cell) !== undefined) dates += 1
  }
  const kind = (): Kind => (numbers >= shareOfNumbers * present ? 'number' : 'word')
  return {
    see,
    kind,
    /** The kind that these cells show. */
    after: (cells: readonly Cell[]): Kind => {
      for (const cell of cells) see(cell, read(cell))
      return kind()
    },
    hasDates: (): boolean => dates > 0,
    note: (name: string): string[] =>
      dates > 0 && kind() === 'number' ? [`attribute '${name}': dates, taken as microseconds since 1970`] : [],
  }
}

export type Judge = ReturnType<typeof createJudge>
