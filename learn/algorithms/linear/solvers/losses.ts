import type { Problem } from '../problem.ts'

/** A row's loss as a function of its score w'x, C included. */
export type Loss = {
  readonly value: (row: number, score: number) => number
  readonly slope: (row: number, score: number) => number
  readonly curvature: (row: number, score: number) => number
}

/** C log(1 + exp(-y s)) */
export function logisticLoss({ targets, costs }: Problem): Loss {
  return {
    value: (row, score) => {
      const margin = score * (targets[row] ?? 0)
      return (costs[row] ?? 0) * (Math.log1p(Math.exp(-Math.abs(margin))) + Math.max(-margin, 0))
    },
    slope: (row, score) => {
      const y = targets[row] ?? 0
      return (costs[row] ?? 0) * (1 / (1 + Math.exp(-y * score)) - 1) * y
    },
    curvature: (row, score) => {
      const probability = 1 / (1 + Math.exp(-(targets[row] ?? 0) * score))
      return (costs[row] ?? 0) * probability * (1 - probability)
    },
  }
}

/** C max(0, 1 - y s)^2 */
export function squaredHinge({ targets, costs }: Problem): Loss {
  const gap = (row: number, score: number): number => Math.max(0, 1 - (targets[row] ?? 0) * score)
  return {
    value: (row, score) => (costs[row] ?? 0) * gap(row, score) ** 2,
    slope: (row, score) => -2 * (costs[row] ?? 0) * (targets[row] ?? 0) * gap(row, score),
    curvature: (row, score) => (gap(row, score) > 0 ? 2 * (costs[row] ?? 0) : 0),
  }
}

/** C max(0, |s - y| - p)^2 */
export function squaredTube({ targets, costs, p }: Problem): Loss {
  const outside = (row: number, score: number): number => {
    const error = score - (targets[row] ?? 0)
    return error > p ? error - p : error < -p ? error + p : 0
  }
  return {
    value: (row, score) => (costs[row] ?? 0) * outside(row, score) ** 2,
    slope: (row, score) => 2 * (costs[row] ?? 0) * outside(row, score),
    curvature: (row, score) => (outside(row, score) === 0 ? 0 : 2 * (costs[row] ?? 0)),
  }
}
