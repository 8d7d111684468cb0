import type { Cell } from '../formats/row.ts'
import type { Kind } from '../layout.ts'
import { isBoolean, toNumber } from './number.ts'
import type { NumberReader } from './number-reader.ts'

/** A way to write numbers that is none of a CSV's: what people call it, and how it is written plainly. */
type NumberLike = { readonly name: string; readonly plain: string; readonly pattern: RegExp }

const ways: readonly NumberLike[] = [
  { name: 'percentages', plain: 'without the sign', pattern: /^[-+]?\d[\d.,]*\s?%$/ },
  {
    name: 'amounts of money',
    plain: 'without the currency',
    pattern: /^[-+]?\p{Sc}\s?[-+]?\d[\d.,]*$|^[-+]?\d[\d.,]*\s?\p{Sc}$/u,
  },
  {
    name: 'numbers with marks between thousands',
    plain: 'without these',
    pattern: /^[-+]?\d{1,3}(?:(?:,\d{3})+|(?:[ '\u00a0\u202f]\d{3})+)(?:\.\d+)?$/,
  },
  { name: 'numbers with a decimal comma', plain: 'with a point', pattern: /^[-+]?\d[\d.]*,\d+$/ },
  { name: 'hexadecimal numbers', plain: 'in decimals', pattern: /^0x[\da-f]+$/i },
  { name: 'times of day', plain: 'as one number, such as minutes', pattern: /^\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/ },
  { name: 'numbers with a unit', plain: 'without it', pattern: /^[-+]?\d[\d.,]*\s?[\p{L}\u00b0\u00b5\u03bc]{1,5}$/u },
  {
    name: 'dates',
    plain: 'as 2024-01-31',
    pattern: /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:[ T].*)?$/,
  },
]

/** The way in which a text that is no number may still be meant as one. */
function looksLike(text: string): NumberLike | undefined {
  const plain = text.trim()
  return plain.length > 40 || !/\d/.test(plain) ? undefined : ways.find(({ pattern }) => pattern.test(plain))
}

/** An open column is one of numbers where at least this share of its cells that are there are, or of dates. */
const shareOfNumbers = 0.95

/** The judge looks at this many cells that are no numbers, to say what they look like. */
const maxLooked = 1_000

/** From this share of numbers on, a column of words is told to have them. */
const shareToTell = 0.5

/** The form of a cell that is there. */
export type Form = 'number' | 'date' | 'other'

const count = (cells: number): string => cells.toLocaleString('en-US')
const quoted = (cell: string): string => `'${cell.trim().slice(0, 40)}'`

/** Counts how many of a column's cells that are there are numbers, and how many dates; `read` takes dates, too. */
export function createJudge(read: NumberReader) {
  const cells = { number: 0, date: 0, other: 0 }
  let padded = 0
  let booleans = 0
  let firstPadded = ''
  let firstOther = ''
  let looked = 0
  const likes = new Map<NumberLike, { cells: number; readonly first: string }>()

  const look = (cell: string): void => {
    if (cells.other === 1) firstOther = cell
    if (looked === maxLooked) return
    looked += 1
    const like = looksLike(cell)
    if (like === undefined) return
    const known = likes.get(like)
    if (known === undefined) likes.set(like, { cells: 1, first: cell })
    else known.cells += 1
  }

  /** The form of a cell that `read` takes for this number; undefined where it is missing. */
  const see = (cell: Cell, number: number | undefined): Form | undefined => {
    if (cell === undefined || Number.isNaN(number)) return undefined
    const form =
      number === undefined ? 'other' : typeof cell === 'string' && toNumber(cell) === undefined ? 'date' : 'number'
    cells[form] += 1
    if (form === 'other') look(String(cell))
    if (form === 'number' && isBoolean(cell)) booleans += 1
    if (form === 'number' && isPadded(cell)) {
      padded += 1
      if (padded === 1) firstPadded = String(cell)
    }
    return form
  }
  const present = (): number => cells.number + cells.date + cells.other
  const areMost = (some: number): boolean => some >= shareOfNumbers * present()
  const hasDates = (): boolean => !areMost(cells.number) && areMost(cells.date)
  const kind = (): Kind => (areMost(cells.number) || hasDates() ? 'number' : 'word')

  /** Why a column of words might be meant as one of numbers. */
  const wordsNote = (): string | undefined => {
    const numbers = cells.number + cells.date
    const [max] = [...likes].toSorted(([, a], [, b]) => b.cells - a.cells)
    if (max !== undefined) {
      const [like, { cells: some, first }] = max
      const alike = Math.round((some / looked) * cells.other)
      if (areMost(numbers + alike)) {
        const beside = numbers === 0 ? '' : `, and ${count(numbers)} are plain numbers`
        return `${count(alike)} of ${count(present())} cells look like ${like.name}, such as ${quoted(first)}${beside}; all are taken as words, and as numbers only where they are written ${like.plain}`
      }
    }
    if (numbers < shareToTell * present()) return undefined
    const what =
      cells.date === 0
        ? `${count(numbers)} of ${count(present())} cells are numbers`
        : `of ${count(present())} cells ${count(cells.number)} are numbers and ${count(cells.date)} are dates`
    const first = cells.other === 0 ? '' : `; the first that is neither is ${quoted(firstOther)}`
    return `${what}, and neither are 95 of 100, so that all are taken as words${first}; type DOUBLE takes them as numbers`
  }

  return {
    see,
    kind,
    /** Whether the column holds dates in place of numbers. */
    hasDates,
    hasBooleans: (): boolean => booleans > 0,
    /** A cell with zeros in front, such as `007`, where there is one. */
    padded: (): string | undefined => (padded === 0 ? undefined : firstPadded),
    /** The kind of a column by these cells. */
    after: (some: readonly Cell[]): { readonly kind: Kind; readonly dates: boolean } => {
      for (const cell of some) see(cell, read(cell))
      return { kind: kind(), dates: hasDates() }
    },
    /** Sentences for the log where the column might be meant otherwise. */
    notes: (): readonly string[] => {
      if (hasDates()) return ['dates, taken as microseconds since 1970']
      if (kind() === 'word') return [wordsNote()].filter((note) => note !== undefined)
      const mixed = booleanNotes(booleans, cells.number, present())
      if (padded === 0) return mixed
      return [
        ...mixed,
        `${count(padded)} of ${count(present())} cells have zeros in front, such as ${quoted(firstPadded)}, and are taken as numbers; type STRING takes them as words`,
      ]
    },
  }
}

/** Of cells that are there and numbers some are true or false, and others are not. */
export const booleanNotes = (booleans: number, numbers: number, present = numbers): readonly string[] =>
  booleans === 0 || booleans === numbers
    ? []
    : [`${count(booleans)} of ${count(present)} cells are true or false, taken as 1 and 0 among numbers`]

export type Judge = ReturnType<typeof createJudge>

/** Zeros before another digit, which a number would lose. */
const isPadded = (cell: Cell): boolean => typeof cell === 'string' && /^\s*[-+]?0\d/.test(cell)
