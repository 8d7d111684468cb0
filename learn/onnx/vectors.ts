import { type Features, isSparse, type Matrix, type SparseMatrix } from '../dataset.ts'

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

/** `[columns, outputs]` row-major: the sum of the vectors, each times its weight in `[vectors, outputs]`. */
export function weightedSums(vectors: Features, weights: Float64Array, outputs: number): Float64Array {
  const sums = new Float64Array(vectors.columns * outputs)
  eachCell(vectors, (row, column, value) => {
    for (let output = 0; output < outputs; output++) {
      const at = column * outputs + output
      sums[at] = (sums[at] ?? 0) + value * (weights[row * outputs + output] ?? 0)
    }
  })
  return sums
}

/** The columns from..to, their zeros too. */
export function denseColumns(vectors: Features, from: number, to: number): Matrix {
  const columns = to - from
  const values = new Float64Array(vectors.rows * columns)
  eachCell(vectors, (row, column, value) => {
    if (column >= from && column < to) values[row * columns + column - from] = value
  })
  return { rows: vectors.rows, columns, values }
}

/** Of each vector the place among the columns from..to that is not 0; -1 where all are. */
export function placesOf(vectors: SparseMatrix, from: number, to: number): Int32Array {
  const places = new Int32Array(vectors.rows).fill(-1)
  eachCell(vectors, (row, column) => {
    if (column >= from && column < to) places[row] = column - from
  })
  return places
}

/** How many columns from `from` on are not 0, by vector. */
export function filledFrom(vectors: SparseMatrix, from: number): Float64Array {
  const counts = new Float64Array(vectors.rows)
  eachCell(vectors, (row, column) => {
    if (column >= from) counts[row] = (counts[row] ?? 0) + 1
  })
  return counts
}
