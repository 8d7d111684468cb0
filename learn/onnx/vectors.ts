import { type Features, isSparse } from '../dataset.ts'

/** `[columns, rows]` row-major. */
export function transposed(vectors: Features): Float64Array {
  const { rows, columns } = vectors
  const values = new Float64Array(rows * columns)
  eachCell(vectors, (row, column, value) => {
    values[column * rows + row] = value
  })
  return values
}

/** x . x of each row. */
export function squaresOf(vectors: Features): Float64Array {
  const squares = new Float64Array(vectors.rows)
  eachCell(vectors, (row, _, value) => {
    squares[row] = (squares[row] ?? 0) + value * value
  })
  return squares
}

function eachCell(features: Features, see: (row: number, column: number, value: number) => void): void {
  for (let row = 0; row < features.rows; row++) {
    const from = isSparse(features) ? (features.offsets[row] ?? 0) : row * features.columns
    const to = isSparse(features) ? (features.offsets[row + 1] ?? 0) : from + features.columns
    for (let cell = from; cell < to; cell++) {
      const column = isSparse(features) ? (features.indices[cell] ?? 0) : cell - from
      see(row, column, features.values[cell] ?? 0)
    }
  }
}
