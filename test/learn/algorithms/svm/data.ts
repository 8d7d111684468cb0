import type { Classes, FitWatch, Matrix, Numbers, SparseMatrix } from '../../../../learn/dataset.ts'
import { createRandom } from '../../../support/random/random.ts'

export const watch: FitWatch = { beat: () => {}, log: () => {} }

/** Cells in -1..1 with four decimals, so that a text of them is the same numbers; `filled` is the share that is not 0. */
export function matrix(rows: number, columns: number, seed: number, filled = 1): Matrix {
  const random = createRandom(seed)
  const cell = () => (random.chance(filled) ? random.whole(-9999, 9999) / 10_000 : 0)
  return { rows, columns, values: Float64Array.from({ length: rows * columns }, cell) }
}

export function rowsOf({ rows, columns, values }: Matrix): number[][] {
  return Array.from({ length: rows }, (_, row) => [...values.subarray(row * columns, (row + 1) * columns)])
}

export function sparse(features: Matrix): SparseMatrix {
  const cells = rowsOf(features).map((row) => [...row.entries()].filter(([, value]) => value !== 0))
  const offsets = Int32Array.of(0, ...cells.map((row) => row.length))
  for (let i = 1; i < offsets.length; i++) offsets[i] = (offsets[i] ?? 0) + (offsets[i - 1] ?? 0)
  return {
    rows: features.rows,
    columns: features.columns,
    offsets,
    indices: Int32Array.from(cells.flat(), ([column]) => column),
    values: Float64Array.from(cells.flat(), ([, value]) => value),
  }
}

/** A smooth function of the row and a little noise. */
export function numbers(features: Matrix, seed: number): Numbers {
  const random = createRandom(seed)
  const values = rowsOf(features).map((row) => {
    const sum = row.reduce((total, value, column) => total + Math.sin(3 * value + column), 0)
    return Math.round((sum + random.next() - 0.5) * 10_000) / 10_000
  })
  return { kind: 'numbers', values: Float64Array.from(values) }
}

/** That function cut into `count` classes of about the same size, labelled 1, 2, 3, ... */
export function classes(features: Matrix, count: number, seed: number): Classes {
  const { values } = numbers(features, seed)
  const sorted = values.toSorted()
  const labelOf = (value: number) => 1 + Math.floor((sorted.indexOf(value) / values.length) * count)
  const named = Array.from(values, labelOf)
  const labels = [...new Set(named)]
  return { kind: 'classes', labels, classes: Int32Array.from(named, (label) => labels.indexOf(label)) }
}

export function labelsOf({ labels, classes }: Classes): number[] {
  return Array.from(classes, (index) => Number(labels[index]))
}
