import type { Problem, Solution } from '../problem.ts'
import { createActiveSet, drop, shuffleActive } from './active-set.ts'

const PASSES = 300

/**
 * min 0.5 b'(Q + D)b + p sum |b_i| - sum y_i b_i, -U_i <= b_i <= U_i: with the absolute loss U_i = C_i and D = 0, with the
 * squared one no bound and D_ii = 1 / (2 C_i). Dual coordinate descent with shrinking: Ho and Lin, JMLR 2012, algorithm 4.
 */
export function solveDualSvr(problem: Problem, loss: 'absolute' | 'squared'): Solution {
  const { rows, targets, costs, eps, p, random } = problem
  const weights = new Float64Array(rows.size)
  const betas = new Float64Array(rows.count)
  const bounds = loss === 'absolute' ? costs : costs.map(() => Infinity)
  const ridges = costs.map((cost) => (loss === 'absolute' ? 0 : 0.5 / cost))
  const curvatures = ridges.map((ridge, i) => ridge + rows.squaredNorm(i))
  const active = createActiveSet(rows.count)
  let shrinkAbove = Infinity
  let firstSum = 0

  for (let pass = 1; pass <= PASSES; pass++) {
    problem.beat(pass / PASSES)
    shuffleActive(active, random)
    let [largest, sum] = [0, 0]
    let at = 0
    while (at < active.size) {
      const i = active.order[at] ?? 0
      const beta = betas[i] ?? 0
      const bound = bounds[i] ?? 0
      const gradient = rows.dot(i, weights) - (targets[i] ?? 0) + (ridges[i] ?? 0) * beta
      // The slopes of the two sides of p |b|.
      const up = gradient + p
      const down = gradient - p
      if (
        (beta === 0 && up > shrinkAbove && down < -shrinkAbove) ||
        (beta >= bound && up < -shrinkAbove) ||
        (beta <= -bound && down > shrinkAbove)
      ) {
        drop(active, at)
        continue
      }
      at++
      const violation = violationOf(beta, bound, up, down)
      largest = Math.max(largest, violation)
      sum += violation

      const curvature = curvatures[i] ?? 0
      const step = up < curvature * beta ? -up / curvature : down > curvature * beta ? -down / curvature : -beta
      if (Math.abs(step) < 1e-12) continue
      const moved = Math.min(Math.max(beta + step, -bound), bound)
      betas[i] = moved
      if (moved !== beta) rows.add(i, moved - beta, weights)
    }

    if (pass === 1) firstSum = sum
    const settled = sum <= eps * firstSum
    if (settled && active.size === rows.count) return { weights, passes: pass, converged: true }
    if (settled) active.size = rows.count
    shrinkAbove = settled ? Infinity : largest
  }
  return { weights, passes: PASSES, converged: false }
}

function violationOf(beta: number, bound: number, up: number, down: number): number {
  if (beta === 0) return Math.max(-up, down, 0)
  if (beta >= bound) return Math.max(up, 0)
  if (beta <= -bound) return Math.max(-down, 0)
  return Math.abs(beta > 0 ? up : down)
}
