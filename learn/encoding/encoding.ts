import type { Matrix } from '../dataset.ts'
import { encodeNumber, encodeRange, type NumberEncoding, rangeOf, type Scale } from './numbers.ts'
import type { Table } from './table.ts'
import { encodingOf, type WordEncoding, widthOf } from './words.ts'

/** How attributes become the columns that an algorithm sees: first the numbers, then one block for each word. */
export type Encoding = { readonly numbers: readonly NumberEncoding[]; readonly words: readonly WordEncoding[] }

/** Fitted on these rows alone, or on all: ranges, means and categories are theirs. */
export function fitEncoding({ columns }: Table, scale: Scale, rows?: Int32Array): Encoding {
  return {
    numbers: columns.flatMap((column) => {
      if (column.kind !== 'number') return []
      return [encodeRange(rows === undefined ? column.range : rangeOf(column, rows), scale)]
    }),
    words: columns.flatMap((column) => {
      if (column.kind !== 'word') return []
      return [rows === undefined ? column.encoding : encodingOf(column, rows)]
    }),
  }
}

export function encodedWidth({ numbers, words }: Encoding): number {
  return numbers.length + words.reduce((sum, word) => sum + widthOf(word), 0)
}

/** These rows, or all, in their order: the same numbers as the graph of `addEncoding` gives, bit by bit. */
export function encodeTable(table: Table, encoding: Encoding, some?: Int32Array): Matrix {
  const width = encodedWidth(encoding)
  const rows = some?.length ?? table.rows
  const values = new Float64Array(rows * width)
  const rowAt = (at: number): number => (some === undefined ? at : (some[at] ?? 0))
  const numbers = table.columns.flatMap((column) => (column.kind === 'number' ? [column.values] : []))
  for (const [place, number] of encoding.numbers.entries()) {
    const from = numbers[place] ?? new Float64Array()
    for (let at = 0; at < rows; at += 1) {
      values[at * width + place] = encodeNumber(from[rowAt(at)] ?? Number.NaN, number)
    }
  }
  const words = table.columns.flatMap((column) => (column.kind === 'word' ? [column] : []))
  let place = encoding.numbers.length
  for (const [i, word] of encoding.words.entries()) {
    const column = words[i]
    const columnOf = column === undefined ? [] : placesOf(column.encoding, word)
    for (let at = 0; at < rows; at += 1) {
      const of = columnOf[column?.codes[rowAt(at)] ?? 0] ?? -1
      if (of >= 0) values[at * width + place + of] = 1
    }
    place += widthOf(word)
  }
  return { rows, columns: width, values }
}

/** By code of the table, the column of its block; -1 for a category that the rows of the encoding do not have. */
function placesOf(table: WordEncoding, encoding: WordEncoding): Int32Array {
  if (!('categories' in table && 'categories' in encoding)) {
    return Int32Array.from({ length: widthOf(encoding) }, (_, place) => place)
  }
  const places = new Map(encoding.categories.map((category, place) => [category, place]))
  return Int32Array.from(table.categories, (category) => places.get(category) ?? -1)
}

/** The facts about the data that a person wants to know, for the training's log; some algorithms take missing numbers as they are. */
export function describeTable({ rows, columns, dropped, notes }: Table, takesMissing: boolean): readonly string[] {
  const count = (number: number) => number.toLocaleString('en-US')
  const lines = columns.flatMap((column) => {
    const { name } = column.kind === 'number' ? column.range : column.encoding
    const missing = `${count(column.missing)} of ${count(rows)} missing`
    if (column.kind === 'number') {
      const how = takesMissing ? 'left so' : `taken as the mean ${column.range.mean}`
      return column.missing === 0 ? [] : [`attribute '${name}': ${missing}, ${how}`]
    }
    const encoded =
      'categories' in column.encoding
        ? `${column.encoding.categories.length} categories`
        : `words hashed into ${column.encoding.buckets} buckets`
    return [`attribute '${name}': ${encoded}${column.missing === 0 ? '' : `, ${missing}, taken as a category`}`]
  })
  return [...(dropped === 0 ? [] : [`${count(dropped)} rows without a target left out`]), ...notes, ...lines]
}
