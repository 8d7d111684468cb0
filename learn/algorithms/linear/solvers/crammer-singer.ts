import type { Random } from '../../../random.ts'
import type { Rows } from '../rows.ts'
import { createActiveSet, drop, shuffleActive } from './active-set.ts'

const PASSES = 100_000

export type MulticlassProblem = {
  readonly rows: Rows
  readonly classes: Int32Array
  /** C of each class. */
  readonly costs: Float64Array
  readonly eps: number
  readonly random: Random
  readonly beat: (share: number) => void
}

/**
 * All classes at once (Crammer and Singer): min 0.5 sum |w_m|^2 + sum_i sum_m e_im a_im with a_im <= C of the row's class for
 * that class, <= 0 for the others, and sum_m a_im = 0, where w_m = sum a_im x_i. Blocks of one row are solved exactly, with
 * shrinking: the appendix of Fan et al., JMLR 2008. Gives one weight vector a class.
 */
export function solveCrammerSinger(problem: MulticlassProblem): {
  readonly weights: readonly Float64Array[]
  readonly passes: number
  readonly converged: boolean
} {
  const { rows, classes, costs, eps, random } = problem
  const count = costs.length
  const weights = Array.from(costs, () => new Float64Array(rows.size))
  const alphas = new Float64Array(rows.count * count)
  const norms = Float64Array.from({ length: rows.count }, (_, i) => rows.squaredNorm(i))
  // The first `sizes[i]` entries of row i's stretch are the classes that are still visited for it.
  const candidates = Int32Array.from(alphas, (_, cell) => cell % count)
  const sizes = new Int32Array(rows.count).fill(count)
  const active = createActiveSet(rows.count)
  const gradient = new Float64Array(count)
  const none = new Float64Array()
  let shrinkEps = Math.max(10 * eps, 1)
  let complete = true

  for (let pass = 1; pass <= PASSES; pass++) {
    problem.beat(pass / PASSES)
    shuffleActive(active, random)
    let stopping = -Infinity
    let at = 0
    while (at < active.size) {
      const i = active.order[at] ?? 0
      const norm = norms[i] ?? 0
      const own = classes[i] ?? 0
      const start = i * count
      const bound = costs[own] ?? 0
      if (norm === 0) {
        at++
        continue
      }
      for (let k = 0; k < (sizes[i] ?? 0); k++) {
        const m = candidates[start + k] ?? 0
        gradient[m] = (m === own ? 0 : 1) + rows.dot(i, weights[m] ?? none)
      }
      const { lowest, highest } = extremes(i)
      shrinkRow(i, lowest)
      if ((sizes[i] ?? 0) <= 1) {
        drop(active, at)
        continue
      }
      at++
      if (highest - lowest <= 1e-12) continue
      stopping = Math.max(stopping, highest - lowest)
      moveRow(i, norm, own, bound)
    }

    if (stopping >= shrinkEps) {
      complete = false
      continue
    }
    if (stopping < eps && complete) return { weights, passes: pass, converged: true }
    active.size = rows.count
    sizes.fill(count)
    shrinkEps = Math.max(shrinkEps / 2, eps)
    complete = true
  }
  return { weights, passes: PASSES, converged: false }

  function boundOf(i: number, m: number): number {
    const own = classes[i] ?? 0
    return m === own ? (costs[own] ?? 0) : 0
  }

  /** The least gradient of the classes whose a may still rise, and the greatest of all. */
  function extremes(i: number): { lowest: number; highest: number } {
    let [lowest, highest] = [Infinity, -Infinity]
    for (let k = 0; k < (sizes[i] ?? 0); k++) {
      const m = candidates[i * count + k] ?? 0
      const slope = gradient[m] ?? 0
      if ((alphas[i * count + m] ?? 0) < boundOf(i, m)) lowest = Math.min(lowest, slope)
      highest = Math.max(highest, slope)
    }
    return { lowest, highest }
  }

  /** Drops the classes that rest at their bound for good. */
  function shrinkRow(i: number, lowest: number): void {
    const start = i * count
    let k = 0
    while (k < (sizes[i] ?? 0)) {
      const m = candidates[start + k] ?? 0
      if (alphas[start + m] !== boundOf(i, m) || (gradient[m] ?? 0) >= lowest) {
        k++
        continue
      }
      const last = (sizes[i] ?? 0) - 1
      sizes[i] = last
      candidates[start + k] = candidates[start + last] ?? 0
      candidates[start + last] = m
    }
  }

  /** Minimizes over the row's candidates: with t = beta, a_m = min(bound_m, (beta - B_m) / |x|^2), sum of a unchanged. */
  function moveRow(i: number, norm: number, own: number, bound: number): void {
    const start = i * count
    const size = sizes[i] ?? 0
    const levels = new Float64Array(size)
    for (let k = 0; k < size; k++) {
      const m = candidates[start + k] ?? 0
      levels[k] = (gradient[m] ?? 0) - norm * (alphas[start + m] ?? 0) + (m === own ? norm * bound : 0)
    }
    const sorted = levels.slice().sort()
    let beta = (sorted[size - 1] ?? 0) - norm * bound
    let taken = 1
    while (taken < size && beta < taken * (sorted[size - 1 - taken] ?? 0)) {
      beta += sorted[size - 1 - taken] ?? 0
      taken++
    }
    beta /= taken
    for (let k = 0; k < size; k++) {
      const m = candidates[start + k] ?? 0
      const alpha = alphas[start + m] ?? 0
      const level = (gradient[m] ?? 0) - norm * alpha
      const moved = Math.min(boundOf(i, m), (beta - level) / norm)
      alphas[start + m] = moved
      if (Math.abs(moved - alpha) >= 1e-12) rows.add(i, moved - alpha, weights[m] ?? none)
    }
  }
}
