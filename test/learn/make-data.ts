import type { Classes, FitWatch, Matrix, SparseMatrix } from '../../learn/dataset.ts'
import { createRandom, type Random } from '../../learn/random.ts'
import { seed } from '../support/random/seed.ts'

export const silent: FitWatch = { beat: () => {}, log: () => {} }

export { seed }

export function matrixOf(rows: readonly (readonly number[])[]): Matrix {
  return { rows: rows.length, columns: rows[0]?.length ?? 0, values: Float64Array.from(rows.flat()) }
}

export function sparseOf({ rows, columns, values }: Matrix): SparseMatrix {
  const cells = Array.from(values, (value, cell) => ({ value, cell })).filter(({ value }) => value !== 0)
  const offsets = Int32Array.from({ length: rows + 1 }, (_, row) => cells.filter((c) => c.cell < row * columns).length)
  return {
    rows,
    columns,
    offsets,
    indices: Int32Array.from(cells, ({ cell }) => cell % columns),
    values: Float64Array.from(cells, ({ value }) => value),
  }
}

export function classesOf(labels: readonly (number | string)[]): Classes {
  const known = [...new Set(labels)]
  return { kind: 'classes', labels: known, classes: Int32Array.from(labels, (label) => known.indexOf(label)) }
}

export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.uniform())) * Math.cos(2 * Math.PI * random.uniform())
}

export function normalRows(count: number, columns: number, random = createRandom(seed)): Matrix {
  return { rows: count, columns, values: Float64Array.from({ length: count * columns }, () => normal(random)) }
}
