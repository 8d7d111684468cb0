import { fewestCells, vectorModule } from '../vector-module.ts'
import { addRowsModule } from './add-rows.ts'

/** The codes of a column: the bins of its values, and the bin of missing ones. */
export const codesOfColumn = 256

/** Where the rows of a node go: to the left by the bins of a column up to `bin`, and with `missingLeft` by the bin `missing`. */
export type Parting = {
  readonly column: number
  readonly bin: number
  readonly missing: number
  readonly missingLeft: boolean
}

/** The bins of all rows, beside room for the rows of a node, their derivatives, and sums by bin. */
export type RowSpace = {
  readonly rows: number
  readonly columns: number
  /** Row-major: the bin of row i in column j is `codes[i * columns + j]`. */
  readonly codes: Uint8Array
  /** By row the gradient and the curvature of the loss, side by side. */
  readonly slopes: Float64Array
  /** The rows of a tree, each node's a stretch of it. */
  readonly order: Int32Array
  /** By column and code the sums of gradients and of curvatures, side by side, and the number of rows. */
  readonly sums: Float64Array
  readonly counts: Int32Array
  /** sums and counts += the rows order[start] to order[end - 1] */
  readonly add: (start: number, end: number) => void
  /** The sums of the gradients and of the curvatures of these rows, row by row; they stand until the next call. */
  readonly total: (start: number, end: number) => Float64Array
  /** Parts the stretch of rows, each side in its order; gives where the right side begins. */
  readonly part: (start: number, end: number, parting: Parting) => number
}

type Add = (
  order: number,
  end: number,
  codes: number,
  columns: number,
  slopes: number,
  sums: number,
  counts: number,
) => void
type Total = (order: number, end: number, slopes: number, total: number) => void
type Part = (
  order: number,
  end: number,
  codes: number,
  columns: number,
  aside: number,
  bin: number,
  missing: number,
  missingLeft: number,
) => number
const open = vectorModule<{ readonly add: Add; readonly total: Total; readonly part: Part }>(addRowsModule)

/** By WebAssembly, which is three times as fast; by plain code, with the same bits, where that does not pay or there is no room. */
export function createRowSpace(rows: number, columns: number): RowSpace {
  return (rows * columns < fewestCells ? undefined : vectorSpace(rows, columns)) ?? plainSpace(rows, columns)
}

export function plainSpace(rows: number, columns: number): RowSpace {
  const codes = new Uint8Array(rows * columns)
  const slopes = new Float64Array(2 * rows)
  const order = new Int32Array(rows)
  const sums = new Float64Array(2 * codesOfColumn * columns)
  const counts = new Int32Array(codesOfColumn * columns)
  const add = (start: number, end: number): void => {
    for (let at = start; at < end; at++) {
      const row = order[at] ?? 0
      const gradient = slopes[2 * row] ?? 0
      const curvature = slopes[2 * row + 1] ?? 0
      for (let j = 0; j < columns; j++) {
        const bin = codesOfColumn * j + (codes[row * columns + j] ?? 0)
        sums[2 * bin] = (sums[2 * bin] ?? 0) + gradient
        sums[2 * bin + 1] = (sums[2 * bin + 1] ?? 0) + curvature
        counts[bin] = (counts[bin] ?? 0) + 1
      }
    }
  }
  const totals = new Float64Array(2)
  const total = (start: number, end: number): Float64Array => {
    let [gradient, curvature] = [0, 0]
    for (let at = start; at < end; at++) {
      const row = order[at] ?? 0
      gradient += slopes[2 * row] ?? 0
      curvature += slopes[2 * row + 1] ?? 0
    }
    totals[0] = gradient
    totals[1] = curvature
    return totals
  }
  const aside = new Int32Array(rows)
  const part = (start: number, end: number, { column, bin, missing, missingLeft }: Parting): number => {
    let left = start
    let right = 0
    for (let at = start; at < end; at++) {
      const row = order[at] ?? 0
      const code = codes[row * columns + column] ?? 0
      // Written on both sides, of which one goes on: a branch would be guessed wrong for every other row.
      order[left] = row
      aside[right] = row
      const step = code === missing ? (missingLeft ? 1 : 0) : code <= bin ? 1 : 0
      left += step
      right += 1 - step
    }
    order.set(aside.subarray(0, right), left)
    return left
  }
  return { rows, columns, codes, slopes, order, sums, counts, add, total, part }
}

/** Undefined where the process is given no such memory. */
export function vectorSpace(rows: number, columns: number): RowSpace | undefined {
  const sumBytes = 16 * codesOfColumn * columns
  const countBytes = 4 * codesOfColumn * columns
  const totalAt = sumBytes + countBytes
  const slopesAt = totalAt + 16
  const orderAt = slopesAt + 16 * rows
  const asideAt = orderAt + 4 * rows
  const codesAt = asideAt + 4 * rows
  const opened = open(codesAt + rows * columns)
  if (opened === undefined) return undefined
  const { buffer, functions } = opened
  const totals = new Float64Array(buffer, totalAt, 2)
  return {
    rows,
    columns,
    codes: new Uint8Array(buffer, codesAt, rows * columns),
    slopes: new Float64Array(buffer, slopesAt, 2 * rows),
    order: new Int32Array(buffer, orderAt, rows),
    sums: new Float64Array(buffer, 0, 2 * codesOfColumn * columns),
    counts: new Int32Array(buffer, sumBytes, codesOfColumn * columns),
    add: (start, end) => functions.add(orderAt + 4 * start, orderAt + 4 * end, codesAt, columns, slopesAt, 0, sumBytes),
    total: (start, end) => {
      functions.total(orderAt + 4 * start, orderAt + 4 * end, slopesAt, totalAt)
      return totals
    },
    part: (start, end, { column, bin, missing, missingLeft }) => {
      const [from, to] = [orderAt + 4 * start, orderAt + 4 * end]
      const left = functions.part(from, to, codesAt + column, columns, asideAt, bin, missing, missingLeft ? 1 : 0)
      return (left - orderAt) / 4
    },
  }
}
