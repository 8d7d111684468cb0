import { type Features, isSparse, type Matrix, type SparseMatrix } from './dataset.ts'

/** Some rows of a data set, copied, in the order given. */
export function selectRows(features: Features, rows: Int32Array): Features {
  return isSparse(features) ? selectSparse(features, rows) : selectDense(features, rows)
}

function selectDense({ columns, values: all }: Matrix, rows: Int32Array): Matrix {
  const values = new Float64Array(rows.length * columns)
  for (const [to, row] of rows.entries()) values.set(all.subarray(row * columns, (row + 1) * columns), to * columns)
  return { rows: rows.length, columns, values }
}

function selectSparse(features: SparseMatrix, rows: Int32Array): SparseMatrix {
  const offsets = new Int32Array(rows.length + 1)
  for (const [i, row] of rows.entries()) {
    offsets[i + 1] = (offsets[i] ?? 0) + (features.offsets[row + 1] ?? 0) - (features.offsets[row] ?? 0)
  }
  const cells = offsets[rows.length] ?? 0
  const indices = new Int32Array(cells)
  const values = new Float64Array(cells)
  for (const [i, row] of rows.entries()) {
    const [from, to] = [features.offsets[row], features.offsets[row + 1]]
    indices.set(features.indices.subarray(from, to), offsets[i])
    values.set(features.values.subarray(from, to), offsets[i])
  }
  return { rows: rows.length, columns: features.columns, offsets, indices, values }
}
