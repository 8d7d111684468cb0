import { type Features, isSparse, type SparseMatrix } from '../../../dataset.ts'

/** Row . itself, for each row of a data set. */
export function squaresOf(features: Features): Float64Array {
  return Float64Array.from({ length: features.rows }, (_, row) => {
    const from = isSparse(features) ? (features.offsets[row] ?? 0) : row * features.columns
    const to = isSparse(features) ? (features.offsets[row + 1] ?? 0) : from + features.columns
    let sum = 0
    for (let cell = from; cell < to; cell++) sum += (features.values[cell] ?? 0) ** 2
    return sum
  })
}

/** Writes the cells of one sparse row to their columns. */
export function spreadRow({ offsets, indices, values }: SparseMatrix, row: number, spread: Float64Array): void {
  const end = offsets[row + 1] ?? 0
  for (let cell = offsets[row] ?? 0; cell < end; cell++) spread[indices[cell] ?? 0] = values[cell] ?? 0
}

export function clearRow({ offsets, indices }: SparseMatrix, row: number, spread: Float64Array): void {
  const end = offsets[row + 1] ?? 0
  for (let cell = offsets[row] ?? 0; cell < end; cell++) spread[indices[cell] ?? 0] = 0
}
