import { type Features, isSparse, type Matrix, type SparseMatrix } from '../../dataset.ts'

/** Rows as points, dense or sparse. */
export type Points = {
  readonly count: number
  readonly size: number
  /** `squaredNorm` is the centre's own; the dense form does without it. Never below 0. */
  readonly squaredDistance: (point: number, center: Float64Array, squaredNorm: number) => number
  /** sums += factor * point */
  readonly add: (point: number, factor: number, sums: Float64Array) => void
}

export function pointsOf(features: Features): Points {
  return isSparse(features) ? sparsePoints(features) : densePoints(features)
}

/** The point as a centre. */
export function vectorOf(points: Points, point: number): Float64Array {
  const vector = new Float64Array(points.size)
  points.add(point, 1, vector)
  return vector
}

export function squaredNormOf(vector: Float64Array): number {
  let sum = 0
  for (let j = 0; j < vector.length; j++) sum += (vector[j] ?? 0) ** 2
  return sum
}

function densePoints({ rows, columns, values }: Matrix): Points {
  const even = columns - (columns % 2)
  return {
    count: rows,
    size: columns,
    squaredDistance: (point, center) => {
      const start = point * columns
      // Two sums side by side: one would wait for its own addition at each cell.
      let first = 0
      let second = 0
      for (let j = 0; j < even; j += 2) {
        const a = (values[start + j] ?? 0) - (center[j] ?? 0)
        const b = (values[start + j + 1] ?? 0) - (center[j + 1] ?? 0)
        first += a * a
        second += b * b
      }
      const last = even < columns ? (values[start + even] ?? 0) - (center[even] ?? 0) : 0
      return first + second + last * last
    },
    add: (point, factor, sums) => {
      const start = point * columns
      for (let j = 0; j < columns; j++) sums[j] = (sums[j] ?? 0) + factor * (values[start + j] ?? 0)
    },
  }
}

function sparsePoints({ rows, columns, offsets, indices, values }: SparseMatrix): Points {
  const norms = new Float64Array(rows)
  for (let i = 0; i < rows; i++) norms[i] = squaredNormOf(values.subarray(offsets[i] ?? 0, offsets[i + 1] ?? 0))
  return {
    count: rows,
    size: columns,
    squaredDistance: (point, center, squaredNorm) => {
      const end = offsets[point + 1] ?? 0
      let product = 0
      for (let cell = offsets[point] ?? 0; cell < end; cell++) {
        product += (values[cell] ?? 0) * (center[indices[cell] ?? 0] ?? 0)
      }
      return Math.max(0, (norms[point] ?? 0) - 2 * product + squaredNorm)
    },
    add: (point, factor, sums) => {
      const end = offsets[point + 1] ?? 0
      for (let cell = offsets[point] ?? 0; cell < end; cell++) {
        const j = indices[cell] ?? 0
        sums[j] = (sums[j] ?? 0) + factor * (values[cell] ?? 0)
      }
    },
  }
}
