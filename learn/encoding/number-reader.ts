import { isoMicroseconds } from '../../base/instant.ts'
import type { Cell } from '../formats/row.ts'
import { toNumber } from './number.ts'

/** Cells that say that a number is missing, in lower case; an empty cell always does. */
export const missingSpellings: readonly string[] = ['na', 'n/a', 'nan', 'null', 'none', '?', '-']

export type NumberRules = {
  /** In place of `missingSpellings`, in any case; numbers may be among them, such as `-999`. */
  readonly missing?: readonly string[] | undefined
  /** ISO dates are numbers, too: microseconds since 1970. */
  readonly dates?: boolean | undefined
}

/** NaN for a missing cell, `undefined` for one that holds no number. */
export type NumberReader = (cell: Cell) => number | undefined

export function createNumberReader({ missing, dates = false }: NumberRules): NumberReader {
  if (missing === undefined) return dates ? usualWithDates : usual
  const isMissing = createSpellings(missing)
  const read = readerOf(isMissing, dates)
  // One of the client's own spellings may be a number.
  return (cell) => (cell !== undefined && isMissing(cell) ? Number.NaN : read(cell))
}

/** Most texts that are no numbers are no dates: those have a hyphen behind four digits of a year. */
export function dateOf(text: string): number | undefined {
  if (text.indexOf('-') < 4) return undefined
  const microseconds = isoMicroseconds(text)
  return microseconds === undefined ? undefined : Number(microseconds)
}

type Spellings = (cell: Cell) => boolean

function createSpellings(list: readonly string[]): Spellings {
  const spellings = new Set(list.map((spelling) => spelling.trim().toLowerCase()))
  return (cell) => spellings.has(String(cell).trim().toLowerCase())
}

function readerOf(isMissing: Spellings, dates: boolean): NumberReader {
  const readOther = (cell: Cell): number | undefined => {
    if (typeof cell !== 'string') return undefined
    if (isMissing(cell)) return Number.NaN
    return dates ? dateOf(cell) : undefined
  }
  return (cell) => toNumber(cell) ?? readOther(cell)
}

const usual = readerOf(createSpellings(missingSpellings), false)
const usualWithDates = readerOf(createSpellings(missingSpellings), true)
