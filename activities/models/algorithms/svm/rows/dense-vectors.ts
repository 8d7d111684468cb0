import { isSparse, type Matrix } from '../../../dataset.ts'
import { blockDots, blockRows, blocksOf, cellOf, copyRow, exchangeBlockRows } from './blocks.ts'
import { spreadRow } from './cells.ts'
import { swap } from './swap.ts'
import type { Vectors } from './vectors.ts'

/** Copies the rows. */
export function denseVectors({ values, columns }: Matrix, rows: Int32Array): Vectors {
  const length = rows.length
  const blocks = blocksOf(values, rows, columns)
  const buffer = new Float64Array(Math.ceil(length / blockRows) * blockRows)
  const x = new Float64Array(columns)
  const squares = Float64Array.from({ length }, (_, row) => {
    const at = cellOf(row, columns)
    let sum = 0
    for (let k = 0; k < columns; k++) sum += (blocks[at + k * blockRows] ?? 0) ** 2
    return sum
  })
  const fill = (from: number, to: number): Float64Array => {
    const first = from - (from % blockRows)
    const end = Math.ceil(to / blockRows) * blockRows
    blockDots(x, blocks, columns, first, end, buffer)
    return first === from ? buffer : buffer.subarray(from - first)
  }
  return {
    length,
    squares,
    dots: (i, from, to) => {
      copyRow(blocks, i, columns, x)
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
