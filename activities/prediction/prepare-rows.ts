import type { ModelDescription } from '../../learn/description.ts'
import { noNumber } from '../../learn/encoding/number.ts'
import { createNumberReader } from '../../learn/encoding/number-reader.ts'
import { type BrokenRow, isBroken, type ReadRow, type Row } from '../../learn/formats/row.ts'

export type PreparedRows = {
  /** The rows that fit the model, in order. */
  readonly good: readonly Row[]
  /** The numeric attributes of the good rows, row-major; NaN where missing and not filled. */
  readonly numbers: Float64Array
  /** The word attributes of the good rows, row-major; '' where missing. */
  readonly words: readonly string[]
  /** The fault of every row, undefined for a good one. */
  readonly faults: readonly (BrokenRow | undefined)[]
}

export function prepareRows(rows: readonly ReadRow[], { attributes, missing, series }: ModelDescription): PreparedRows {
  const places = attributes.flatMap(({ kind }, place) => (kind === 'number' ? [place] : []))
  const wordPlaces = attributes.flatMap(({ kind }, place) => (kind === 'word' ? [place] : []))
  const fills = places.map((place) => attributes[place]?.fill ?? Number.NaN)
  const readers = places.map((place) => createNumberReader({ missing, dates: attributes[place]?.dates }))
  const numbers = new Float64Array(rows.length * places.length)
  const good: Row[] = []
  const words: string[] = []

  const fill = (row: Row): BrokenRow | undefined => {
    const start = good.length * places.length
    for (let i = 0; i < places.length; i += 1) {
      const place = places[i] ?? 0
      const number = readers[i]?.(row.cells[place])
      if (number === undefined) return brokenCell(row, place, attributes[place]?.name ?? '')
      if (series !== undefined && Number.isNaN(number)) return missingValue(row, attributes[place]?.name ?? '')
      numbers[start + i] = Number.isNaN(number) ? (fills[i] ?? number) : number
    }
    for (const place of wordPlaces) words.push(String(row.cells[place] ?? ''))
    good.push(row)
    return undefined
  }

  const faults = rows.map((row) => (isBroken(row) ? row : fill(row)))
  return { good, numbers: numbers.subarray(0, good.length * places.length), words, faults }
}

/** A window is learnt from whole. */
const missingValue = ({ line }: Row, attribute: string): BrokenRow => ({
  line,
  attribute,
  reason: 'the value is missing; a model with lag takes a window that is whole',
})

function brokenCell({ line, cells, places }: Row, place: number, attribute: string): BrokenRow {
  const column = places?.columns[place]
  return { line, ...(column === undefined ? {} : { column: column + 1 }), attribute, reason: noNumber(cells[place]) }
}
