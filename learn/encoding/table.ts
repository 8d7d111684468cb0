import { Refusal } from '../../base/refusal.ts'
import type { Target } from '../dataset.ts'
import { type Cell, isBroken, placeOf, type ReadRow, type Row } from '../formats/row.ts'
import type { Holder } from '../holdout/holder.ts'
import type { Column, Kind, Layout } from '../layout.ts'
import { alikeNotes } from './alike.ts'
import { createBadRows } from './bad-rows.ts'
import { booleanNotes, createJudge, type Form, type Judge } from './judge.ts'
import { isBoolean, noNumber } from './number.ts'
import { createNumberReader, type NumberReader } from './number-reader.ts'
import { createNumberColumn } from './numbers.ts'
import { startTarget, type Task } from './target.ts'
import { createWordColumn, createWordRoom } from './words.ts'

/**
 * This many rows are the first guess of the kinds that `attr_list` leaves open, or fewer rows with this many cells or
 * characters.
 */
const guessingRows = 10_000
const guessingCells = 2_000_000
const guessingCharacters = 16 * 1024 * 1024

export type NumberData = ReturnType<ReturnType<typeof createNumberColumn>['finish']>
export type WordData = ReturnType<ReturnType<typeof createWordColumn>['finish']>

/** Training data by columns, typed: 8 bytes a number, 4 bytes a word. */
export type Table = {
  readonly layout: Layout
  readonly rows: number
  readonly columns: readonly (NumberData | WordData)[]
  readonly target: Target
  /** Rows without a target, which are not taken. */
  readonly dropped: number
  /** Sentences for the training's log: how the data were read where they might have been meant otherwise. */
  readonly notes: readonly string[]
}

/** The kinds of all columns and of the target, as all rows show them. */
export type Kinds = {
  readonly columns: readonly { readonly kind: Kind; readonly dates: boolean }[]
  readonly target: Kind | undefined
}

export type TableOptions = {
  /** The task that the algorithm's parameters or the request ask for; without one the target's type and values decide. */
  readonly task?: Task | undefined
  /** Whether a row that cannot be taken fails the training or is left out. */
  readonly badRows?: 'fail' | 'skip' | undefined
  /** The max share of rows that may be left out. */
  readonly maxBadShare?: number | undefined
  /** The kinds that an earlier reading of the same data found. */
  readonly kinds?: Kinds | undefined
  /** The number of buckets into which words are hashed, however few words there are. */
  readonly buckets?: number | undefined
  /** Hears of each row that is taken whether it is to be held out. */
  readonly holder?: Pick<Holder, 'wrong' | 'add'> | undefined
  /** The number of first rows of which a copy stays, as they came. */
  readonly sample?: number | undefined
}

/**
 * Kinds that `attr_list` leaves open are guessed by the first rows and judged by all: where these show others, `finish`
 * answers them, and the data have to be read again.
 */
export function createTableBuilder(layout: Layout, options: TableOptions = {}) {
  let first: { readonly row: Row; readonly file: string }[] = []
  let characters = 0
  let filling: ReturnType<typeof startFilling> | undefined
  const guessing = Math.max(1, Math.min(guessingRows, Math.floor(guessingCells / layout.columns.length)))
  const bad = createBadRows(options)

  const start = () => {
    const rows = first.map(({ row }) => row)
    filling = startFilling(layout, rows, options, bad.add)
    for (const { row, file } of first) filling.add(row, file)
    first = []
    return filling
  }

  return {
    /** `file` names the rows' file where there are several. */
    add: (rows: readonly ReadRow[], file = '') => {
      for (const row of rows) {
        if (isBroken(row)) bad.add(placeOf(row), file)
        else if (filling !== undefined) filling.add(row, file)
        else {
          first.push({ row, file })
          characters += lengthOf(row)
          if (first.length === guessing || characters > guessingCharacters) start()
        }
      }
    },
    /** The bytes that the rows so far take. */
    bytes: (): number => filling?.bytes() ?? 0,
    /** The first rows; all of them once `finish` was called. */
    sample: (): readonly Row[] => filling?.sample ?? [],
    /** Throws a `Refusal` that names the first bad rows where there are more than may be. */
    finish: (): Table | { readonly again: Kinds } => {
      const read = (filling ?? start()).finish()
      if ('again' in read) return read
      const left = bad.finish(read.rows + read.dropped)
      return left === undefined ? read : { ...read, notes: [left, ...read.notes] }
    },
  }
}

const lengthOf = ({ cells }: Row): number =>
  cells.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0)

/** The table of rows that are at hand, read again where their kinds ask for it. */
export function tableOf(layout: Layout, rows: readonly ReadRow[], options: TableOptions = {}): Table {
  const builder = createTableBuilder(layout, options)
  builder.add(rows)
  const read = builder.finish()
  return 'again' in read ? tableOf(layout, rows, { ...options, kinds: read.again }) : read
}

type Fill = {
  readonly name: string
  readonly kind: Kind
  /** Whether the column's numbers are dates. */
  readonly dates: boolean
  readonly read: NumberReader
  readonly judge: Judge | undefined
  /** Cells of a typed column of numbers that are true or false, and those that are there. */
  readonly typed: { booleans: number; present: number }
  readonly numbers: ReturnType<typeof createNumberColumn>
  readonly words: ReturnType<typeof createWordColumn>
}

function startFilling(
  layout: Layout,
  first: readonly Row[],
  { task, kinds, buckets, holder, sample: max = 0 }: TableOptions,
  addBad: (fault: string, file: string) => void,
) {
  const { missing } = layout
  const room = createWordRoom()
  const fills = layout.columns.map((column, i): Fill => {
    const read = createNumberReader({ missing, dates: column.dates ?? column.kind === undefined })
    const guess = () => createJudge(read).after(first.map(({ cells }) => cells[i]))
    const { kind, dates } =
      column.kind === undefined
        ? (kinds?.columns[i] ?? guess())
        : { kind: column.kind, dates: column.dates === true && column.kind === 'number' }
    return {
      name: column.name,
      read,
      kind,
      dates,
      judge: column.kind === undefined ? createJudge(read) : undefined,
      typed: { booleans: 0, present: 0 },
      numbers: createNumberColumn(column.name),
      words: createWordColumn(column.name, { buckets, room }),
    }
  })
  const target = startTarget(
    layout,
    first.map((row) => row.target),
    { task, kind: kinds?.target },
  )
  const rowBytes = fills.reduce((sum, { kind }) => sum + (kind === 'number' ? 8 : 4), 8)
  const values = new Float64Array(fills.length)
  const sample: Row[] = []
  let rows = 0
  let dropped = 0

  /** The fault of the first cell that cannot be taken; the numbers of the row are in `values`. */
  const faultOf = (row: Row): Refusal | undefined => {
    let found: Refusal | undefined
    for (let i = 0; i < fills.length; i += 1) {
      const fill = fills[i]
      if (fill === undefined) continue
      const { kind, dates, name, read, judge, typed } = fill
      const cell = row.cells[i]
      if (kind === 'word' && judge === undefined) continue
      const number = read(cell)
      const form = judge?.see(cell, number)
      if (kind === 'word') continue
      if (judge === undefined && !Number.isNaN(number)) {
        typed.present += 1
        if (isBoolean(cell)) typed.booleans += 1
      }
      const isOdd = form !== undefined && (form === 'date') !== dates
      values[i] = isOdd ? Number.NaN : (number ?? Number.NaN)
      if (number !== undefined && !isOdd) continue
      found ??= brokenCell(row, name, row.places?.columns[i], form === undefined ? noNumber(cell) : oddCell(cell, form))
    }
    return found
  }

  return {
    sample,
    bytes: () => rows * rowBytes + fills.reduce((sum, { words }) => sum + words.bytes(), 0),
    add: (row: Row, file: string) => {
      if (target.isMissing(row.target)) {
        dropped += 1
        return
      }
      const inCells = faultOf(row)
      target.see(row.target)
      if (inCells !== undefined) return addBad(inCells.message, file)
      const unplaced = holder?.wrong(row.mark)
      if (unplaced !== undefined) return addBad(placeOf({ line: row.line, reason: unplaced }), file)
      const wrong = target.add(row.target)
      if (wrong !== undefined)
        return addBad(brokenCell(row, layout.target?.name, row.places?.target, wrong).message, file)
      for (const [i, { kind, numbers, words }] of fills.entries()) {
        const cell = row.cells[i]
        if (kind === 'number') numbers.add(values[i] ?? Number.NaN)
        else words.add(cell === undefined ? '' : String(cell))
      }
      holder?.add(row.mark)
      if (rows < max) sample.push(row)
      rows += 1
    },
    finish: (): Table | { readonly again: Kinds } => {
      const found = fills.map(({ judge, kind, dates }) =>
        judge === undefined ? { kind, dates } : { kind: judge.kind(), dates: judge.hasDates() },
      )
      const foundTarget = target.kind()
      const isOther =
        found.some(({ kind, dates }, i) => kind !== fills[i]?.kind || dates !== fills[i]?.dates) ||
        foundTarget !== target.taken
      if (kinds === undefined && isOther) return { again: { columns: found, target: foundTarget } }
      const columns = layout.columns.map((column, i) => known(column, fills[i]))
      const filled = fills.map(({ kind, numbers, words }) => (kind === 'number' ? numbers : words).finish())
      return {
        layout: { ...layout, columns, ...target.layout() },
        rows,
        columns: filled,
        target: target.finish(),
        dropped,
        notes: [
          ...fills.flatMap(({ name, judge, typed }, i) =>
            columnNotes(filled[i], rows, judge?.notes() ?? booleanNotes(typed.booleans, typed.present)).map(
              (note) => `attribute '${name}': ${note}`,
            ),
          ),
          ...target.notes(),
        ],
      }
    },
  }
}

/** After this many rows, a column with a different word in each counts as an identifier. */
const fewestOwn = 20

/** Why a column may be meant otherwise, or is of no use; `judged` are the reasons that its single cells show. */
function columnNotes(
  column: NumberData | WordData | undefined,
  rows: number,
  judged: readonly string[],
): readonly string[] {
  if (column === undefined || rows === 0) return judged
  if (column.missing === rows) return ['no row has a value']
  if (column.kind === 'number' || !('categories' in column.encoding) || judged.length > 0) return judged
  const words = column.encoding.categories.filter((word) => word !== '')
  const isOwn = rows >= fewestOwn && words.length === rows - column.missing && column.missing < rows / 2
  const own = `each row has a word of its own, such as '${words[0]?.slice(0, 40)}', which tells nothing of other rows`
  return [...alikeNotes(words), ...(isOwn ? [own] : [])]
}

const known = (column: Column, fill: Fill | undefined): Column => ({
  ...column,
  ...(fill && { kind: fill.kind }),
  ...(fill?.kind === 'number' && fill.dates && { dates: true as const }),
  ...(fill?.kind === 'number' && (fill.judge?.hasBooleans() ?? fill.typed.booleans > 0) && { booleans: true as const }),
})

function oddCell(cell: Cell, form: Form): string {
  if (form === 'other') return noNumber(cell)
  const shown = `'${String(cell).slice(0, 40)}'`
  return form === 'date' ? `${shown} is a date among numbers` : `${shown} is a number among dates`
}

export function brokenCell(
  { line }: Row,
  attribute: string | undefined,
  place: number | undefined,
  reason: string,
): Refusal {
  const named = attribute === undefined ? {} : { attribute }
  return new Refusal(placeOf({ line, ...(place === undefined ? {} : { column: place + 1 }), ...named, reason }))
}
