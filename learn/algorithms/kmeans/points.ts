import { type Features, isSparse, type Matrix, type SparseMatrix } from '../../dataset.ts'

/** Rows as points, dense or sparse. */
export type Points = {
  readonly count: number
  readonly size: number
  /** `[count, size]` of the dense form. */
  readonly values?: Float64Array
  /** `squaredNorm` is the centre's own; the dense form does without it. Never below 0. */
  readonly squaredDistance: (point: number, center: Float64Array, squaredNorm: number) => number
  /** Fills `found` with the nearest of `[count, size]` centres, and the squared distances to it and to the next one. */
  readonly nearest: (point: number, centers: Float64Array, squaredNorms: Float64Array, found: Nearest) => void
  /** sums += factor * point */
  readonly add: (point: number, factor: number, sums: Float64Array) => void
}

/** `second` is Infinity where there is one centre. */
export type Nearest = { cluster: number; first: number; second: number }

export const noneNearest = (): Nearest => ({ cluster: 0, first: Infinity, second: Infinity })

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
    values,
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
    nearest: (point, centers, squaredNorms, found) => {
      const start = point * columns
      let [cluster, min, next] = [0, Infinity, Infinity]
      for (let c = 0, from = 0; c < squaredNorms.length; c++, from += columns) {
        let first = 0
        let second = 0
        for (let j = 0; j < even; j += 2) {
          const a = (values[start + j] ?? 0) - (centers[from + j] ?? 0)
          const b = (values[start + j + 1] ?? 0) - (centers[from + j + 1] ?? 0)
          first += a * a
          second += b * b
        }
        const last = even < columns ? (values[start + even] ?? 0) - (centers[from + even] ?? 0) : 0
        const squared = first + second + last * last
        if (squared < min) {
          next = min
          min = squared
          cluster = c
        } else if (squared < next) next = squared
      }
      found.cluster = cluster
      found.first = min
      found.second = next
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
    nearest: (point, centers, squaredNorms, found) => {
      const [start, end] = [offsets[point] ?? 0, offsets[point + 1] ?? 0]
      let [cluster, min, next] = [0, Infinity, Infinity]
      for (let c = 0; c < squaredNorms.length; c++) {
        let product = 0
        for (let cell = start; cell < end; cell++) {
          product += (values[cell] ?? 0) * (centers[c * columns + (indices[cell] ?? 0)] ?? 0)
        }
        const squared = Math.max(0, (norms[point] ?? 0) - 2 * product + (squaredNorms[c] ?? 0))
        if (squared < min) {
          next = min
          min = squared
          cluster = c
        } else if (squared < next) next = squared
      }
      found.cluster = cluster
      found.first = min
      found.second = next
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
