import type { Features, Matrix, SparseMatrix } from '../dataset.ts'
import { encodeNumber, encodeRange, type NumberEncoding, rangeOf, type Scale } from './numbers.ts'
import { fitStatistics, statisticsOfOthers } from './statistics.ts'
import type { Table, WordData } from './table.ts'
import { encodingOf, fewPlaces, placeOfCode, placesOf, type WordEncoding, widthOf } from './words.ts'

/** How attributes become the columns that an algorithm sees: first the numbers, then one block for each word. */
export type Encoding = { readonly numbers: readonly NumberEncoding[]; readonly words: readonly WordEncoding[] }

/** The columns of an attribute of many words: one a place, or statistics of the target by place. */
export type WordColumns = 'places' | 'statistics'

/** Fitted on these rows alone, or on all: ranges, means, categories and statistics are theirs. */
export function fitEncoding(
  table: Table,
  scale: Scale,
  { rows, many = 'places' }: { readonly rows?: Int32Array | undefined; readonly many?: WordColumns } = {},
): Encoding {
  return {
    numbers: table.columns.flatMap((column) => {
      if (column.kind !== 'number') return []
      return [encodeRange(rows === undefined ? column.range : rangeOf(column, rows), scale)]
    }),
    words: table.columns.flatMap((column) => {
      if (column.kind !== 'word') return []
      const places = rows === undefined ? column.encoding : encodingOf(column, rows)
      if (!takesStatistics(table, column, many)) return [places]
      const statistics = fitStatistics(placedRows(table, column, places, rows ?? allRows(table)))
      return [{ ...places, statistics }]
    }),
  }
}

/** Whether it is the statistics of the target that are the columns of an attribute; as all of its rows decide. */
export const takesStatistics = ({ target }: Table, { encoding }: WordData, many: WordColumns): boolean =>
  many === 'statistics' && target.kind !== 'none' && placesOf(encoding) > fewPlaces

const allRows = ({ rows }: Table): Int32Array => Int32Array.from({ length: rows }, (_, row) => row)

function placedRows({ target }: Table, { codes, encoding }: WordData, places: WordEncoding, rows: Int32Array) {
  const placeOf = placeOfCode(encoding, places)
  return { target, rows, places: rows.map((row) => placeOf[codes[row] ?? 0] ?? -1), count: placesOf(places) }
}

export function encodedWidth({ numbers, words }: Encoding): number {
  return numbers.length + words.reduce((sum, word) => sum + widthOf(word), 0)
}

/** The columns of a row that are not 0, at most. */
export const filledWidth = ({ numbers, words }: Encoding): number =>
  numbers.length + words.reduce((sum, { statistics }) => sum + (statistics?.width ?? 1), 0)

/** The fewest columns that are worth a sparse encoding: in fewer, zeros cost little. */
const fewestSparse = 128

/** Rows are kept without their zeros where these are most of their many columns. */
export function isWide(encoding: Encoding): boolean {
  const width = encodedWidth(encoding)
  return width > fewestSparse && 4 * filledWidth(encoding) <= width
}

/** These rows, or all, in their order: the same numbers as the graph of `addEncoding` gives, bit by bit. */
export const encodeTable = (table: Table, encoding: Encoding, some?: Int32Array): Features =>
  encode(table, encoding, some, servedBlock)

function servedBlock(word: WordEncoding, { codes, encoding }: WordData): Block {
  const placeOf = placeOfCode(encoding, word)
  const place = (row: number): number => placeOf[codes[row] ?? 0] ?? -1
  const { statistics } = word
  if (statistics === undefined) return { place }
  const { width, values, others } = statistics
  return {
    valuesOf: (row) => {
      const at = place(row)
      return at < 0 ? others : values.subarray(at * width, (at + 1) * width)
    },
  }
}

/**
 * Rows for a fit, by an encoding that was fitted on the rows `learnt`, or on all: a row of these is without its own target in
 * its columns. Other rows are as a model sees them.
 */
export function encodeLearnt(table: Table, encoding: Encoding, learnt?: Int32Array, some = learnt): Features {
  return encode(table, encoding, some, (word, column) => {
    const served = servedBlock(word, column)
    const { statistics } = word
    if (statistics === undefined || !('valuesOf' in served)) return served
    const { width } = statistics
    const placed = placedRows(table, column, word, learnt ?? allRows(table))
    const all = new Float64Array(placed.rows.length * width)
    statisticsOfOthers(placed, statistics, (at, values) => all.set(values, at * width))
    const places = new Int32Array(table.rows).fill(-1)
    for (const [at, row] of placed.rows.entries()) places[row] = at
    return {
      valuesOf: (row) => {
        const at = places[row] ?? -1
        return at < 0 ? served.valuesOf(row) : all.subarray(at * width, (at + 1) * width)
      },
    }
  })
}

/** The columns of one attribute of words: the one that is 1, none where it is below 0, or the values of all. */
type Block = { readonly place: (row: number) => number } | { readonly valuesOf: (row: number) => Float64Array }

type Rows = {
  readonly count: number
  readonly rowAt: (at: number) => number
  readonly numbers: readonly { readonly from: Float64Array; readonly encoding: NumberEncoding }[]
  readonly words: readonly { readonly start: number; readonly block: Block }[]
  readonly width: number
}

function encode(
  table: Table,
  encoding: Encoding,
  some: Int32Array | undefined,
  blockOf: (word: WordEncoding, column: WordData) => Block,
): Features {
  const numbers = table.columns.flatMap((column) => (column.kind === 'number' ? [column.values] : []))
  const columns = table.columns.flatMap((column) => (column.kind === 'word' ? [column] : []))
  let next = encoding.numbers.length
  const rows: Rows = {
    count: some?.length ?? table.rows,
    rowAt: (at) => (some === undefined ? at : (some[at] ?? 0)),
    numbers: encoding.numbers.map((number, place) => ({
      from: numbers[place] ?? new Float64Array(),
      encoding: number,
    })),
    words: encoding.words.flatMap((word, place) => {
      const start = next
      next += widthOf(word)
      const column = columns[place]
      return column === undefined ? [] : [{ start, block: blockOf(word, column) }]
    }),
    width: encodedWidth(encoding),
  }
  return isWide(encoding) ? sparseRows(rows, filledWidth(encoding)) : denseRows(rows)
}

function denseRows({ count, rowAt, numbers, words, width }: Rows): Matrix {
  const values = new Float64Array(count * width)
  for (const [place, { from, encoding }] of numbers.entries()) {
    for (let at = 0; at < count; at += 1) {
      values[at * width + place] = encodeNumber(from[rowAt(at)] ?? Number.NaN, encoding)
    }
  }
  for (const { start, block } of words) {
    for (let at = 0; at < count; at += 1) {
      const first = at * width + start
      if ('valuesOf' in block) {
        values.set(block.valuesOf(rowAt(at)), first)
        continue
      }
      const place = block.place(rowAt(at))
      if (place >= 0) values[first + place] = 1
    }
  }
  return { rows: count, columns: width, values }
}

function sparseRows({ count, rowAt, numbers, words, width }: Rows, filled: number): SparseMatrix {
  const offsets = new Int32Array(count + 1)
  const indices = new Int32Array(count * filled)
  const values = new Float64Array(count * filled)
  let cell = 0
  const put = (column: number, value: number): void => {
    if (value === 0) return
    indices[cell] = column
    values[cell] = value
    cell += 1
  }
  for (let at = 0; at < count; at += 1) {
    const row = rowAt(at)
    for (let place = 0; place < numbers.length; place += 1) {
      const number = numbers[place]
      if (number !== undefined) put(place, encodeNumber(number.from[row] ?? Number.NaN, number.encoding))
    }
    for (const { start, block } of words) {
      if ('valuesOf' in block) {
        const own = block.valuesOf(row)
        for (let statistic = 0; statistic < own.length; statistic += 1) put(start + statistic, own[statistic] ?? 0)
        continue
      }
      const place = block.place(row)
      if (place >= 0) put(start + place, 1)
    }
    offsets[at + 1] = cell
  }
  return { rows: count, columns: width, offsets, indices: indices.subarray(0, cell), values: values.subarray(0, cell) }
}
