import { type Features, isSparse, type Matrix, type SparseMatrix } from '../../dataset.ts'

/** The rows of a training set, each with the constant `bias` as its last feature (none if negative), without a copy. */
export type Rows = {
  readonly count: number
  /** How many weights a row meets, the bias's included. */
  readonly size: number
  readonly dot: (row: number, weights: Float64Array) => number
  /** weights += factor * row */
  readonly add: (row: number, factor: number, weights: Float64Array) => void
  /** sums += factor * row * row, cell by cell */
  readonly addSquares: (row: number, factor: number, sums: Float64Array) => void
  readonly squaredNorm: (row: number) => number
}

export function rowsOf(features: Features, bias: number): Rows {
  return isSparse(features) ? sparseRows(features, bias) : denseRows(features, bias)
}

function denseRows({ rows, columns, values }: Matrix, bias: number): Rows {
  const extra = Math.max(bias, 0)
  const biasSquared = extra * extra
  const even = columns - (columns % 4)
  const size = bias < 0 ? columns : columns + 1

  // Four sums side by side: one sum would wait for its own addition at each cell.
  const dot = (row: number, weights: Float64Array): number => {
    const start = row * columns
    let a = bias < 0 ? 0 : extra * (weights[columns] ?? 0)
    let b = 0
    let c = 0
    let d = 0
    for (let j = 0; j < even; j += 4) {
      const cell = start + j
      a += (values[cell] ?? 0) * (weights[j] ?? 0)
      b += (values[cell + 1] ?? 0) * (weights[j + 1] ?? 0)
      c += (values[cell + 2] ?? 0) * (weights[j + 2] ?? 0)
      d += (values[cell + 3] ?? 0) * (weights[j + 3] ?? 0)
    }
    for (let j = even; j < columns; j++) a += (values[start + j] ?? 0) * (weights[j] ?? 0)
    return a + b + (c + d)
  }
  return {
    count: rows,
    size,
    dot,
    add: (row, factor, weights) => {
      const start = row * columns
      for (let j = 0; j < even; j += 4) {
        const cell = start + j
        weights[j] = (weights[j] ?? 0) + factor * (values[cell] ?? 0)
        weights[j + 1] = (weights[j + 1] ?? 0) + factor * (values[cell + 1] ?? 0)
        weights[j + 2] = (weights[j + 2] ?? 0) + factor * (values[cell + 2] ?? 0)
        weights[j + 3] = (weights[j + 3] ?? 0) + factor * (values[cell + 3] ?? 0)
      }
      for (let j = even; j < columns; j++) weights[j] = (weights[j] ?? 0) + factor * (values[start + j] ?? 0)
      if (bias >= 0) weights[columns] = (weights[columns] ?? 0) + factor * extra
    },
    addSquares: (row, factor, sums) => {
      const start = row * columns
      for (let j = 0; j < columns; j++) {
        const value = values[start + j] ?? 0
        sums[j] = (sums[j] ?? 0) + factor * value * value
      }
      if (bias >= 0) sums[columns] = (sums[columns] ?? 0) + factor * biasSquared
    },
    squaredNorm: (row) => {
      const start = row * columns
      let sum = biasSquared
      for (let j = 0; j < columns; j++) sum += (values[start + j] ?? 0) ** 2
      return sum
    },
  }
}

function sparseRows({ rows, columns, offsets, indices, values }: SparseMatrix, bias: number): Rows {
  const extra = Math.max(bias, 0)
  const biasSquared = extra * extra
  const startOf = (row: number): number => offsets[row] ?? 0
  return {
    count: rows,
    size: bias < 0 ? columns : columns + 1,
    dot: (row, weights) => {
      const end = startOf(row + 1)
      let sum = bias < 0 ? 0 : extra * (weights[columns] ?? 0)
      for (let cell = startOf(row); cell < end; cell++) sum += (values[cell] ?? 0) * (weights[indices[cell] ?? 0] ?? 0)
      return sum
    },
    add: (row, factor, weights) => {
      const end = startOf(row + 1)
      for (let cell = startOf(row); cell < end; cell++) {
        const j = indices[cell] ?? 0
        weights[j] = (weights[j] ?? 0) + factor * (values[cell] ?? 0)
      }
      if (bias >= 0) weights[columns] = (weights[columns] ?? 0) + factor * extra
    },
    addSquares: (row, factor, sums) => {
      const end = startOf(row + 1)
      for (let cell = startOf(row); cell < end; cell++) {
        const j = indices[cell] ?? 0
        const value = values[cell] ?? 0
        sums[j] = (sums[j] ?? 0) + factor * value * value
      }
      if (bias >= 0) sums[columns] = (sums[columns] ?? 0) + factor * biasSquared
    },
    squaredNorm: (row) => {
      const end = startOf(row + 1)
      let sum = biasSquared
      for (let cell = startOf(row); cell < end; cell++) sum += (values[cell] ?? 0) ** 2
      return sum
    },
  }
}
