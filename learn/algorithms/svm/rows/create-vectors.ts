import { type Features, isSparse, type Matrix, type SparseMatrix } from '../../../dataset.ts'
import { createBlockSpace } from './block-space.ts'
import { copyBlockRow, exchangeBlockRows, fewestRows, setBlockRow, squareOfBlockRow } from './blocks.ts'
import { clearRow, spreadRow, squaresOf } from './cells.ts'
import { swap } from './swap.ts'
import type { Vectors } from './vectors.ts'

/** Some rows of a data set, or all. Exchanging them leaves `features` as it is. */
export function createVectors(features: Features, rows?: Int32Array): Vectors {
  const chosen = rows ?? Int32Array.from({ length: features.rows }, (_, i) => i)
  return isSparse(features) ? sparseVectors(features, chosen) : denseVectors(features, chosen)
}

/** Copies the rows. */
function denseVectors({ values, columns }: Matrix, rows: Int32Array): Vectors {
  const length = rows.length
  const { blocks, x, dots, multiply } = createBlockSpace(length, columns)
  for (let to = 0; to < length; to++) setBlockRow(blocks, to, columns, values, (rows[to] ?? 0) * columns)
  const squares = Float64Array.from({ length }, (_, row) => squareOfBlockRow(blocks, row, columns))
  const fill = (from: number, to: number): Float64Array => {
    const first = from - (from % fewestRows)
    multiply(first, to)
    return first === from ? dots : dots.subarray(from - first)
  }
  return {
    length,
    squares,
    dots: (i, from, to) => {
      copyBlockRow(blocks, i, columns, x)
      return fill(from, to)
    },
    dotsWith: (other, i) => {
      if (isSparse(other)) spreadRow(other, i, x.fill(0))
      else x.set(other.values.subarray(i * columns, (i + 1) * columns))
      return fill(0, length)
    },
    exchange: (i, j) => {
      exchangeBlockRows(blocks, i, j, columns)
      swap(squares, i, j)
    },
  }
}

/** Refers to the rows where they are. */
function sparseVectors(features: SparseMatrix, rows: Int32Array): Vectors {
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

/** dots[j - from] = spread . row order[j] of a sparse matrix, for j in from..to; `spread` holds the one row densely. */
function sparseDots(
  offsets: Int32Array,
  indices: Int32Array,
  values: Float64Array,
  order: Int32Array,
  spread: Float64Array,
  from: number,
  to: number,
  dots: Float64Array,
): void {
  for (let j = from; j < to; j++) {
    const row = order[j] ?? 0
    const end = offsets[row + 1] ?? 0
    let sum = 0
    for (let cell = offsets[row] ?? 0; cell < end; cell++)
      sum += (spread[indices[cell] ?? 0] ?? 0) * (values[cell] ?? 0)
    dots[j - from] = sum
  }
}
