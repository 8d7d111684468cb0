import { shuffle } from '../../../random.ts'
import type { Problem, Solution } from '../problem.ts'

const PASSES = 300
const INNER_STEPS = 100

/**
 * min 0.5 a'Qa + sum a_i log a_i + (C_i - a_i) log(C_i - a_i), 0 < a_i < C_i. Dual coordinate descent, Newton's method in
 * each variable: Yu, Huang and Lin, Machine Learning 85, 2011, algorithm 5.
 */
export function solveDualLogistic(problem: Problem): Solution {
  const { rows, targets, costs, eps, random } = problem
  const weights = new Float64Array(rows.size)
  // Both distances to the bounds are kept, since C - a loses the digits of the smaller one.
  const lows = costs.map((cost) => Math.min(0.001 * cost, 1e-8))
  const highs = costs.map((cost, i) => cost - (lows[i] ?? 0))
  const norms = costs.map((_, i) => rows.squaredNorm(i))
  for (let i = 0; i < rows.count; i++) rows.add(i, (targets[i] ?? 0) * (lows[i] ?? 0), weights)
  const order = Int32Array.from({ length: rows.count }, (_, i) => i)
  const finest = Math.min(1e-8, eps)
  let innerEps = 1e-2

  for (let pass = 1; pass <= PASSES; pass++) {
    problem.beat(pass / PASSES)
    shuffle(order, random)
    let [largest, steps] = [0, 0]
    for (let at = 0; at < rows.count; at++) {
      const i = order[at] ?? 0
      const y = targets[i] ?? 0
      const cost = costs[i] ?? 0
      const norm = norms[i] ?? 0
      const margin = y * rows.dot(i, weights)
      // The variable is a or C - a, whichever is nearer to its bound at the solution.
      const mirrored = 0.5 * norm * ((highs[i] ?? 0) - (lows[i] ?? 0)) + margin < 0
      const slope = mirrored ? -margin : margin
      const old = (mirrored ? highs[i] : lows[i]) ?? 0
      let z = cost - old < 0.5 * cost ? 0.1 * old : old
      let gradient = norm * (z - old) + slope + Math.log(z / (cost - z))
      largest = Math.max(largest, Math.abs(gradient))
      let inner = 0
      while (inner <= INNER_STEPS && Math.abs(gradient) >= innerEps) {
        const newton = z - gradient / (norm + cost / (cost - z) / z)
        z = newton <= 0 ? 0.1 * z : newton
        gradient = norm * (z - old) + slope + Math.log(z / (cost - z))
        inner++
      }
      if (inner === 0) continue
      steps += inner
      lows[i] = mirrored ? cost - z : z
      highs[i] = mirrored ? z : cost - z
      rows.add(i, (mirrored ? old - z : z - old) * y, weights)
    }
    if (largest < eps) return { weights, passes: pass, converged: true }
    if (steps <= rows.count / 10) innerEps = Math.max(finest, 0.1 * innerEps)
  }
  return { weights, passes: PASSES, converged: false }
}
