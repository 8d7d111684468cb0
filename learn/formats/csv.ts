import { Refusal } from '../../base/refusal.ts'
import type { Layout } from '../layout.ts'
import { requireColumns } from './columns.ts'
import { joinCsv, splitCsv } from './csv-cells.ts'
import type { Emit, Format, Reader, ReadOptions } from './format.ts'
import { cutLines } from './lines.ts'
import type { Cell, Row } from './row.ts'
import { byPosition } from './write.ts'

/** Where the cells of a line stand: an index for each column of the layout, for the target -1 where lines have none. */
type Places = { readonly columns: readonly number[]; readonly target: number; readonly width: number }

/** The max length of a row of several lines, in characters: a quote too many costs this much of a file at most. */
const longestOpen = 1024 * 1024

/** The max cells of a row: it is cut into as many texts at once. */
const maxCells = 1_000_000

function hasTooManyCells(text: string, separator: string): boolean {
  if (text.length <= maxCells) return false
  let cells = 1
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
  let open: { readonly text: string; readonly line: number } | undefined

  const takeRecord = (text: string, line: number) => {
    if (hasTooManyCells(text, layout.separator)) {
      open = undefined
      return emit({ line, reason: `the row has more than ${maxCells.toLocaleString('en-US')} cells` })
    }
    const split = splitCsv(text, layout.separator)
    open = undefined
    if ('open' in split) {
      if (text.length > longestOpen) emit({ line, reason: unclosed })
      else open = { text, line }
      return
    }
    if ('reason' in split) return emit({ line, ...split })
    if (places === undefined) {
      const named = placesByName(split.cells, layout, options)
      places = named ?? placesByPosition(split.cells.length, layout, options)
      if (named !== undefined) return
    }
    emit(rowAt(split.cells, places, line, layout))
  }

  const lines = cutLines(emit, (text, number) => {
    if (open !== undefined) {
      const joined = `${open.text}\n${text}`
      if (text.includes('"') || joined.length > longestOpen) takeRecord(joined, open.line)
      else open = { text: joined, line: open.line }
    } else if (text !== '') takeRecord(text, number)
  })
  return {
    push: lines.push,
    end: () => {
      lines.end()
      if (open !== undefined) emit({ line: open.line, reason: unclosed })
    },
  }
}

const unclosed = 'a quoted cell of the row has no closing quote'

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
    places,
  }
  return row
}

/** Blanks alone are an empty cell. The first character tells most cells from them. */
const cellOf = (cell = ''): Cell => (cell.charCodeAt(0) > 0x20 || cell.trim() !== '' ? cell : undefined)

/** A first row that holds every attribute's name is a header, blanks around them or not, and its order counts. */
function placesByName(cells: readonly string[], { columns, target }: Layout, options: ReadOptions): Places | undefined {
  const trimmed = cells.map((cell) => cell.trim())
  // Few wide rows are headers: one name shows most of them to be none.
  if (columns[0] === undefined || !trimmed.includes(columns[0].name.trim())) return undefined
  const places = new Map([...trimmed, ...cells].map((cell, i) => [cell, i % cells.length] as const).reverse())
  const placeOf = (name: string): number => places.get(name) ?? -1
  const found = columns.map(({ name }) => placeOf(name))
  if (found.includes(-1)) return undefined
  if (target === undefined || !options.target) return { columns: found, target: -1, width: cells.length }
  const place = target.unnamed ? target.position : placeOf(target.name)
  if (place < 0 || place >= cells.length) return undefined
  return { columns: found, target: place, width: cells.length }
}

/** Whether a first line is a header. */
export function isHeader(line: string, layout: Layout, options: ReadOptions): boolean {
  if (hasTooManyCells(line, layout.separator)) return false
  const split = splitCsv(line, layout.separator)
  return 'cells' in split && placesByName(split.cells, layout, options) !== undefined
}

function placesByPosition(width: number, layout: Layout, options: ReadOptions): Places {
  const { columns, target } = layout
  if (options.purpose === 'prediction') return placesInOrder(layout, options)
  const positions = [...columns, ...(target === undefined ? [] : [target])].map(({ position }) => position)
  const last = Math.max(...positions)
  // Positions that count from 1 name a column after the last one, and never the first.
  const base = last === width && !positions.includes(0) ? 1 : 0
  if (last - base >= width) {
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
