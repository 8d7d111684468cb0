import type { Problem, Solution } from '../problem.ts'
import { createActiveSet, drop, shuffleActive } from './active-set.ts'

const PASSES = 300

/**
 * min 0.5 a'(Q + D)a - sum a, 0 <= a_i <= U_i: with the hinge loss U_i = C_i and D = 0, with the squared one no bound and
 * D_ii = 1 / (2 C_i). Dual coordinate descent with shrinking: Hsieh et al., ICML 2008, algorithm 3.
 */
export function solveDualSvm(problem: Problem, loss: 'hinge' | 'squared hinge'): Solution {
  const { rows, targets, costs, eps, random } = problem
  const weights = new Float64Array(rows.size)
  const alphas = new Float64Array(rows.count)
  const bounds = loss === 'hinge' ? costs : costs.map(() => Infinity)
  const ridges = costs.map((cost) => (loss === 'hinge' ? 0 : 0.5 / cost))
  const curvatures = ridges.map((ridge, i) => ridge + rows.squaredNorm(i))
  const active = createActiveSet(rows.count)
  let [shrinkAbove, shrinkBelow] = [Infinity, -Infinity]

  for (let pass = 1; pass <= PASSES; pass++) {
    problem.beat(pass / PASSES)
    shuffleActive(active, random)
    let [highest, lowest] = [-Infinity, Infinity]
    let at = 0
    while (at < active.size) {
      const i = active.order[at] ?? 0
      const y = targets[i] ?? 0
      const alpha = alphas[i] ?? 0
      const bound = bounds[i] ?? 0
      const gradient = y * rows.dot(i, weights) - 1 + alpha * (ridges[i] ?? 0)
      if ((alpha === 0 && gradient > shrinkAbove) || (alpha === bound && gradient < shrinkBelow)) {
        drop(active, at)
        continue
      }
      at++
      const projected = alpha === 0 ? Math.min(gradient, 0) : alpha === bound ? Math.max(gradient, 0) : gradient
      highest = Math.max(highest, projected)
      lowest = Math.min(lowest, projected)
      if (Math.abs(projected) <= 1e-12) continue
      const moved = Math.min(Math.max(alpha - gradient / (curvatures[i] ?? 0), 0), bound)
      alphas[i] = moved
      rows.add(i, (moved - alpha) * y, weights)
    }

    const settled = highest - lowest <= eps && Math.abs(highest) <= eps && Math.abs(lowest) <= eps
    if (settled && active.size === rows.count) return { weights, passes: pass, converged: true }
    if (settled || active.size === 0) {
      active.size = rows.count
      shrinkAbove = Infinity
      shrinkBelow = -Infinity
    } else {
      shrinkAbove = highest <= 0 ? Infinity : highest
      shrinkBelow = lowest >= 0 ? -Infinity : lowest
    }
  }
  return { weights, passes: PASSES, converged: false }
}
