import type { Problem, Solution } from '../problem.ts'
import { createActiveSet, drop, shuffleActive } from './active-set.ts'
import { createGaps, type Gaps } from './gaps.ts'
import { slopesOf, stepOf, violationOf } from './lasso.ts'

const PASSES = 1000
const HALVINGS = 20
const SUFFICIENT_DECREASE = 0.01

/**
 * min sum |w_j| + sum C_i max(0, 1 - y_i w'x_i)^2: coordinate descent with one Newton step and a line search a weight, and
 * shrinking: Yuan et al., JMLR 2010, and the appendix of Fan et al., JMLR 2008.
 */
export function solveLassoSvm(problem: Problem, tolerance: number): Solution {
  const columns = problem.columns()
  const weights = new Float64Array(columns.size)
  const gaps = createGaps(problem, columns)
  const bounds = weights.map((_, j) => gaps.bound(j))
  const active = createActiveSet(columns.size)
  let shrinkAbove = Infinity
  let firstSum = 0

  for (let pass = 1; pass <= PASSES; pass++) {
    problem.beat(pass / PASSES)
    shuffleActive(active, problem.random)
    let [largest, sum] = [0, 0]
    let at = 0
    while (at < active.size) {
      const j = active.order[at] ?? 0
      const weight = weights[j] ?? 0
      const { slope, curvature } = gaps.derivatives(j)
      const slopes = slopesOf(slope)
      if (weight === 0 && slopes.up > shrinkAbove && slopes.down < -shrinkAbove) {
        drop(active, at)
        continue
      }
      at++
      const violation = violationOf(weight, slopes)
      largest = Math.max(largest, violation)
      sum += violation
      const newton = stepOf(weight, slopes, curvature)
      if (Math.abs(newton) < 1e-12) continue
      const step = search(gaps, j, { weight, newton, slope, bound: bounds[j] ?? 0 })
      if (step === 0) continue
      gaps.move(j, step)
      // A step of exactly -weight must leave an exact zero.
      weights[j] = weight + step
    }

    if (pass === 1) firstSum = sum
    const settled = sum <= tolerance * firstSum
    if (settled && active.size === columns.size) return { weights, passes: pass, converged: true }
    if (settled) active.size = columns.size
    shrinkAbove = settled ? Infinity : largest / columns.count
  }
  return { weights, passes: PASSES, converged: false }
}

type Move = { readonly weight: number; readonly newton: number; readonly slope: number; readonly bound: number }

/** Halves the Newton step until the objective falls enough; 0 where it never does. */
function search(gaps: Gaps, column: number, { weight, newton, slope, bound }: Move): number {
  let step = newton
  let promised = Math.abs(weight + step) - Math.abs(weight) + slope * step
  let before: number | undefined
  for (let halving = 0; halving < HALVINGS; halving++) {
    const needed = Math.abs(weight + step) - Math.abs(weight) - SUFFICIENT_DECREASE * promised
    // The bound spares a walk over the rows where it suffices.
    if (bound * step * step + slope * step + needed <= 0) return step
    before ??= gaps.lossAfter(column, 0)
    if (gaps.lossAfter(column, step) - before + needed <= 0) return step
    step *= 0.5
    promised *= 0.5
  }
  return 0
}
