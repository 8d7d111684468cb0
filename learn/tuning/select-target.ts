import type { Target } from '../dataset.ts'

/** The target of some rows; labels stay in order of their first appearance among all rows. */
export function selectTarget(target: Target, rows: Int32Array): Target {
  if (target.kind === 'none') return target
  if (target.kind === 'numbers') return { ...target, values: Float64Array.from(rows, (row) => target.values[row] ?? 0) }
  return { ...target, classes: rows.map((row) => target.classes[row] ?? 0) }
}
