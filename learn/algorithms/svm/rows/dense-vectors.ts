import { isSparse, type Matrix } from '../../../dataset.ts'
import { createBlockSpace } from './block-space.ts'
import { copyBlockRow, exchangeBlockRows, fewestRows, setBlockRow, squareOfBlockRow } from './blocks.ts'
import { spreadRow } from './cells.ts'
import { swap } from './swap.ts'
import type { Vectors } from './vectors.ts'

/** Copies the rows. */
export function denseVectors({ values, columns }: Matrix, rows: Int32Array): Vectors {
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
