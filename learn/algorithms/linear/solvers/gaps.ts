import type { Columns } from '../../columns.ts'
import type { Problem } from '../problem.ts'

/** The gaps 1 - y w'x of all rows, and the loss sum C max(0, gap)^2 as a function of one weight. */
export type Gaps = {
  readonly derivatives: (column: number) => { readonly slope: number; readonly curvature: number }
  /** The loss of the rows that the column touches, after a step of its weight. */
  readonly lossAfter: (column: number, step: number) => number
  /** sum C x^2: lossAfter(step) is at most lossAfter(0) + slope * step + bound * step^2. */
  readonly bound: (column: number) => number
  readonly move: (column: number, step: number) => void
}

export function createGaps({ targets, costs }: Problem, { count, offsets, rows, values }: Columns): Gaps {
  const gaps = new Float64Array(count).fill(1)
  const signed = values.map((value, cell) => value * (targets[rows[cell] ?? 0] ?? 0))
  const startOf = (column: number): number => offsets[column] ?? 0
  return {
    derivatives: (column) => {
      const end = startOf(column + 1)
      let [slope, curvature] = [0, 0]
      for (let cell = startOf(column); cell < end; cell++) {
        const i = rows[cell] ?? 0
        const gap = gaps[i] ?? 0
        if (gap <= 0) continue
        const value = signed[cell] ?? 0
        const scaled = (costs[i] ?? 0) * value
        slope -= scaled * gap
        curvature += scaled * value
      }
      return { slope: 2 * slope, curvature: Math.max(2 * curvature, 1e-12) }
    },
    lossAfter: (column, step) => {
      const end = startOf(column + 1)
      let sum = 0
      for (let cell = startOf(column); cell < end; cell++) {
        const i = rows[cell] ?? 0
        const gap = (gaps[i] ?? 0) - step * (signed[cell] ?? 0)
        if (gap > 0) sum += (costs[i] ?? 0) * gap * gap
      }
      return sum
    },
    bound: (column) => {
      const end = startOf(column + 1)
      let sum = 0
      for (let cell = startOf(column); cell < end; cell++)
        sum += (costs[rows[cell] ?? 0] ?? 0) * (values[cell] ?? 0) ** 2
      return sum
    },
    move: (column, step) => {
      const end = startOf(column + 1)
      for (let cell = startOf(column); cell < end; cell++) {
        const i = rows[cell] ?? 0
        gaps[i] = (gaps[i] ?? 0) - step * (signed[cell] ?? 0)
      }
    },
  }
}
