import { type Features, isSparse } from '../dataset.ts'

/** Compressed columns, the constant bias as the last one: solvers that move one weight at a time walk along them. */
export type Columns = {
  /** How many rows the columns have. */
  readonly count: number
  /** How many columns there are, the bias's included. */
  readonly size: number
  /** Column j's cells are offsets[j]..offsets[j+1]. */
  readonly offsets: Float64Array
  readonly rows: Int32Array
  readonly values: Float64Array
}

/** A negative bias adds no column. */
export function columnsOf(features: Features, bias: number): Columns {
  const size = bias < 0 ? features.columns : features.columns + 1
  const counts = new Float64Array(size + 1)
  const count = (_row: number, column: number): void => {
    counts[column + 1] = (counts[column + 1] ?? 0) + 1
  }
  walk(features, bias, count)
  const offsets = counts
  for (let j = 0; j < size; j++) offsets[j + 1] = (offsets[j + 1] ?? 0) + (offsets[j] ?? 0)

  const next = offsets.slice()
  const rows = new Int32Array(offsets[size] ?? 0)
  const values = new Float64Array(rows.length)
  walk(features, bias, (row, column, value) => {
    const cell = next[column] ?? 0
    next[column] = cell + 1
    rows[cell] = row
    values[cell] = value
  })
  return { count: features.rows, size, offsets, rows, values }
}

function walk(features: Features, bias: number, visit: (row: number, column: number, value: number) => void): void {
  for (let row = 0; row < features.rows; row++) {
    if (isSparse(features)) {
      const end = features.offsets[row + 1] ?? 0
      for (let cell = features.offsets[row] ?? 0; cell < end; cell++) {
        visit(row, features.indices[cell] ?? 0, features.values[cell] ?? 0)
      }
    } else {
      for (let j = 0; j < features.columns; j++) {
        const value = features.values[row * features.columns + j] ?? 0
        if (value !== 0) visit(row, j, value)
      }
    }
    if (bias >= 0) visit(row, features.columns, bias)
  }
}
