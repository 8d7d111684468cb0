import { Refusal } from '../../base/refusal.ts'
import type { Layout } from '../layout.ts'
import { requireColumns } from './columns.ts'
import { joinCsv, noLines, type OpenRow, splitCsv } from './csv-cells.ts'
import type { Emit, Format, Reader, ReadOptions } from './format.ts'
import {
  isOtherHeader,
  isOtherHeaderToPredict,
  mayBeHeader,
  namesHalf,
  noCell,
  otherHeader,
  type Places,
  placesByName,
  showingRows,
  takenForRow,
  tellDoubt,
} from './header.ts'
import { cutLines } from './lines.ts'
import { blankLine, type Cell, type Row } from './row.ts'
import { byPosition } from './write.ts'

/** The max length of a row of several lines, in characters: a quote too many costs this much of a file at most. */
export const longestOpen = 1024 * 1024

/** Rows with this many cells or characters show whether the row before them is a header, however few they are. */
const showingCells = 1_000_000
const showingCharacters = 16 * 1024 * 1024

/** The max cells of a row: it is cut into as many texts at once. */
const maxCells = 1_000_000

function hasTooManyCells(text: string, separator: string, row?: OpenRow): boolean {
  let cells = 1 + (row?.cells.length ?? 0)
  if (text.length + cells <= maxCells) return false
  for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + 1)) cells += 1
  return cells > maxCells
}

export const csv: Format = {
  name: 'CSV',
  createReader: createCsvReader,
  write: (row, layout) => {
    const cells = byPosition(row, layout).map(({ cell }) => String(cell ?? ''))
    return cells.length === 1 && cells[0] === '' ? '""' : joinCsv(cells, layout.separator)
  },
}

function createCsvReader(layout: Layout, options: ReadOptions, emit: Emit): Reader {
  requireColumns(layout, 'CSV')
  let places: Places | undefined
  /** The first rows, while it is open whether the very first is a header. */
  let first: { readonly cells: readonly string[]; readonly line: number }[] = []
  let characters = 0
  /** A row that goes on in the next line; its `reason` says why it is refused at its end. */
  let open:
    | { readonly row: OpenRow; readonly line: number; readonly length: number; readonly reason: string | undefined }
    | undefined
  /** The header's cells: files that were put together have it again between their rows. */
  let head: readonly string[] | undefined

  /** A row with a line that is broken is refused as a whole: its lines are read on to its closing quote, and not kept. */
  const takeRecord = (text: string, number: number, broken?: string) => {
    const before = open
    const line = before?.line ?? number
    const length = before === undefined ? text.length : before.length + 1 + text.length
    const reason = before?.reason ?? broken
    open = undefined
    if (hasTooManyCells(text, layout.separator, before?.row)) {
      return emit({ line, reason: reason ?? `the row has more than ${maxCells.toLocaleString('en-US')} cells` })
    }
    const split = splitCsv(text, layout.separator, before?.row)
    if ('open' in split) {
      if (length > longestOpen) emit({ line, reason: neverClosed(reason) })
      else open = { row: reason === undefined ? split.open : noLines(), line, length, reason }
      return
    }
    if (reason !== undefined) return emit({ line, reason })
    if ('reason' in split) return emit({ line, ...split })
    takeCells(split.cells, line)
  }

  const takeCells = (cells: readonly string[], line: number) => {
    if (places !== undefined)
      return emit(repeats(cells) ? { line, reason: repeated } : rowAt(cells, places, line, layout))
    if (first.length === 0) {
      places = placesOfHeader(cells, [], layout, options)
      if (places !== undefined) {
        head = cells
        return options.note?.('the first row is a header: columns are matched by name')
      }
      if (options.header !== undefined || options.purpose === 'prediction') {
        places = placesByPosition(cells.length, layout, options)
        return emit(rowAt(cells, places, line, layout))
      }
    }
    first.push({ cells, line })
    characters = cells.reduce((sum, cell) => sum + cell.length, characters)
    if (first.length > Math.min(showingRows, showingCells / cells.length) || characters > showingCharacters) decide()
  }

  /** One cell alone may be a word like the header's. */
  const repeats = (cells: readonly string[]): boolean =>
    head !== undefined &&
    head.length > 1 &&
    cells.length === head.length &&
    cells.every((cell, i) => cell === head?.[i])

  /** The first rows are all rows, or the first of them is a header that does not fit. */
  const decide = () => {
    const [head, ...following] = first
    if (head === undefined) return
    if (namesHalf(head.cells, layout, options)) throw otherHeader(head.cells, layout, options)
    const found = placesByPosition(head.cells.length, layout, options)
    const after = following.map(({ cells }) => cells)
    if (isOtherHeader(head.cells, after, layout, found, options)) throw otherHeader(head.cells, layout, options)
    if (mayBeHeader(head.cells, after)) options.doubt?.(takenForRow(head.cells))
    places = found
    for (const { cells, line } of first) emit(rowAt(cells, found, line, layout))
    first = []
  }

  const takeLine = (text: string, number: number) => {
    if (open !== undefined || text.trim() !== '' || text.includes(layout.separator)) takeRecord(text, number)
    else if (options.blanks) emit({ line: number, reason: blankLine })
  }
  const lines = cutLines(({ line, reason }, kept) => takeRecord(kept, line, reason), takeLine)
  return {
    push: lines.push,
    end: () => {
      lines.end()
      if (places === undefined) decide()
      if (open !== undefined) emit({ line: open.line, reason: neverClosed(open.reason) })
    },
  }
}

const repeated = 'the row repeats the header'
export const unclosed = 'a quoted cell of the row has no closing quote'
const neverClosed = (reason: string | undefined): string => (reason === undefined ? unclosed : `${reason}: ${unclosed}`)

function rowAt(cells: readonly string[], places: Places, line: number, layout: Layout) {
  if (cells.length !== places.width) {
    const names = layout.columns.map(({ name }) => name)
    const reason = `the row has ${cells.length} cells in place of ${places.width}`
    return { line, reason: names.length > 20 ? reason : `${reason}; the attributes are ${names.join(', ')}` }
  }
  const row: Row = {
    line,
    cells: places.columns.map((place) => cellOf(cells[place])),
    target: cellOf(cells[places.target]),
    ...(places.key !== undefined && { key: cellOf(cells[places.key]) }),
    places,
  }
  return row
}

/** Blanks alone are an empty cell. The first character tells most cells from them. */
const cellOf = (cell = ''): Cell => (cell.charCodeAt(0) > 0x20 || cell.trim() !== '' ? cell : undefined)

/** The places that a header gives, where the first row is one; throws a `Refusal` where it should be and does not fit. */
function placesOfHeader(
  cells: readonly string[],
  following: readonly (readonly string[])[],
  layout: Layout,
  options: ReadOptions,
): Places | undefined {
  const { header, purpose } = options
  if (header === 'absent') return undefined
  const named = placesByName(cells, layout, options)
  if (named !== undefined) return named
  if (header === 'present') throw otherHeader(cells, layout, options)
  if (header === undefined && purpose === 'prediction') {
    const places = placesInOrder(layout, options)
    if (isOtherHeaderToPredict(cells, following, layout, places, options)) throw otherHeader(cells, layout, options)
  }
  return undefined
}

/**
 * The header of rows to predict, as it is written with its line's end; empty where the first row is none. `text` are the
 * first rows, from one that is not blank. Throws a `Refusal` for a header that does not fit the model.
 */
export function headerOf(text: string, layout: Layout, options: ReadOptions): string {
  const [first, ...following] = firstRecords(text, layout.separator)
  if (first === undefined) return ''
  const after = following.map(({ cells }) => cells)
  if (placesOfHeader(first.cells, after, layout, options) !== undefined) return text.slice(0, first.end)
  if (options.header === undefined) tellDoubt(first.cells, after, layout, placesInOrder(layout, options), options)
  return ''
}

/** The first rows of a text up to one that is broken, and where each ends. */
function firstRecords(text: string, separator: string) {
  const records: { readonly cells: readonly string[]; readonly end: number }[] = []
  let start = 0
  let cells = 0
  let row: OpenRow | undefined
  for (let at = 0; at < text.length && records.length <= showingRows && cells <= showingCells; ) {
    const feed = text.indexOf('\n', at)
    const end = feed < 0 ? text.length : feed + 1
    const line = text.slice(at, end).replace(/\r?\n?$/, '')
    at = end
    if (row !== undefined || line.trim() !== '') {
      if (end - start > longestOpen || hasTooManyCells(line, separator, row)) break
      const split = splitCsv(line, separator, row)
      row = 'open' in split ? split.open : undefined
      if ('open' in split) continue
      if ('reason' in split) break
      records.push({ cells: split.cells, end })
      cells += split.cells.length
    }
    start = end
  }
  return records
}

function placesByPosition(width: number, layout: Layout, options: ReadOptions): Places {
  const { columns, target } = layout
  if (options.purpose === 'prediction') return placesInOrder(layout, options)
  const positions = [...columns, ...(target === undefined ? [] : [target])].map(({ position }) => position)
  const last = Math.max(...positions)
  // Positions that count from 1 name a column after the last one, and never the first.
  const base = last === width && !positions.includes(0) ? 1 : 0
  if (last - base >= width) {
    if (target?.unnamed && target.position === last) throw noCell(last, width)
    const name = [...columns, ...(target === undefined ? [] : [target])].find(({ position }) => position === last)?.name
    throw new Refusal(`attribute '${name}' has position ${last}, but the first row has ${width} cells`)
  }
  return {
    columns: columns.map(({ position }) => position - base),
    target: target === undefined ? -1 : target.position - base,
    width,
  }
}

/** Values in the order of the attributes, the target at its place among them where lines bring it. */
function placesInOrder({ columns, target }: Layout, options: ReadOptions): Places {
  if (target === undefined || !options.target) {
    return { columns: columns.map((_, i) => i), target: -1, width: columns.length }
  }
  const before = target.before ?? columns.filter(({ position }) => position < target.position).length
  return { columns: columns.map((_, i) => (i >= before ? i + 1 : i)), target: before, width: columns.length + 1 }
}
