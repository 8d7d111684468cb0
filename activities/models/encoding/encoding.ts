import type { Matrix } from '../dataset.ts'
import { encodeNumber, encodeRange, type NumberEncoding } from './numbers.ts'
import type { Table } from './table.ts'
import { type WordEncoding, widthOf } from './words.ts'

/** How attributes become the columns that an algorithm sees: first the numbers, then one block for each word. */
export type Encoding = { readonly numbers: readonly NumberEncoding[]; readonly words: readonly WordEncoding[] }

export function fitEncoding({ columns }: Table, scale: boolean): Encoding {
  return {
    numbers: columns.flatMap((column) => (column.kind === 'number' ? [encodeRange(column.range, scale)] : [])),
    words: columns.flatMap((column) => (column.kind === 'word' ? [column.encoding] : [])),
  }
}

export function encodedWidth({ numbers, words }: Encoding): number {
  return numbers.length + words.reduce((sum, word) => sum + widthOf(word), 0)
}

/** The same numbers as the graph of `addEncoding` gives, bit by bit. */
export function encodeTable(table: Table, encoding: Encoding): Matrix {
  const width = encodedWidth(encoding)
  const values = new Float64Array(table.rows * width)
  const numbers = table.columns.flatMap((column) => (column.kind === 'number' ? [column.values] : []))
  for (const [place, number] of encoding.numbers.entries()) {
    const from = numbers[place] ?? new Float64Array()
    for (let row = 0; row < table.rows; row += 1) {
      values[row * width + place] = encodeNumber(from[row] ?? Number.NaN, number)
    }
  }
  const words = table.columns.flatMap((column) => (column.kind === 'word' ? [column.codes] : []))
  let place = encoding.numbers.length
  for (const [i, word] of encoding.words.entries()) {
    const codes = words[i] ?? new Int32Array()
    for (let row = 0; row < table.rows; row += 1) values[row * width + place + (codes[row] ?? 0)] = 1
    place += widthOf(word)
  }
  return { rows: table.rows, columns: width, values }
}

/** What a person wants to know of the data, for the training's log; some algorithms take missing numbers as they are. */
export function describeTable({ rows, columns, dropped }: Table, takesMissing: boolean): readonly string[] {
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
  return dropped === 0 ? lines : [`${count(dropped)} rows without a target left out`, ...lines]
}
