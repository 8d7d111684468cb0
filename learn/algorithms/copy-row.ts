import { type Features, isSparse } from '../dataset.ts'

/** Writes one row's cells, zeros included, at the start of `target`. */
export function copyRow(features: Features, row: number, target: Float64Array): void {
  if (!isSparse(features)) {
    target.set(features.values.subarray(row * features.columns, (row + 1) * features.columns))
    return
  }
  target.fill(0, 0, features.columns)
  const end = features.offsets[row + 1] ?? 0
  for (let cell = features.offsets[row] ?? 0; cell < end; cell++) {
    target[features.indices[cell] ?? 0] = features.values[cell] ?? 0
  }
}
