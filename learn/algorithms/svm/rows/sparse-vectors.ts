import { isSparse, type SparseMatrix } from '../../../dataset.ts'
import { clearRow, spreadRow, squaresOf } from './cells.ts'
import { sparseDots } from './sparse-dots.ts'
import { swap } from './swap.ts'
import type { Vectors } from './vectors.ts'

/** Refers to the rows where they are. */
export function sparseVectors(features: SparseMatrix, rows: Int32Array): Vectors {
  const { offsets, indices, values, columns } = features
  const order = rows.slice()
  const all = squaresOf(features)
  const squares = Float64Array.from(order, (row) => all[row] ?? 0)
  const buffer = new Float64Array(order.length)
  const spread = new Float64Array(columns)
  const fill = (other: SparseMatrix, row: number, from: number, to: number): Float64Array => {
    spreadRow(other, row, spread)
    sparseDots(offsets, indices, values, order, spread, from, to, buffer)
    clearRow(other, row, spread)
    return buffer
  }
  return {
    length: order.length,
    squares,
    dots: (i, from, to) => fill(features, order[i] ?? 0, from, to),
    dotsWith: (other, i) => {
      if (isSparse(other)) return fill(other, i, 0, order.length)
      const row = other.values.subarray(i * columns, (i + 1) * columns)
      sparseDots(offsets, indices, values, order, row, 0, order.length, buffer)
      return buffer
    },
    exchange: (i, j) => {
      swap(order, i, j)
      swap(squares, i, j)
    },
  }
}
