import type { Problem, Solution } from '../problem.ts'
import { createActiveSet, drop } from './active-set.ts'
import { slopesOf, violationOf } from './lasso.ts'
import { minimizeQuadratic, type Quadratic } from './lasso-quadratic.ts'
import { logisticLoss } from './losses.ts'

const PASSES = 100
const HALVINGS = 20
const SUFFICIENT_DECREASE = 0.01
/** Keeps each weight's curvature above 0. */
const RIDGE = 1e-12

/**
 * min sum |w_j| + sum C_i log(1 + exp(-y_i w'x_i)): Newton steps whose quadratic models are minimized by coordinate descent
 * with shrinking on both levels (newGLMNET): Yuan, Ho and Lin, JMLR 2012.
 */
export function solveLassoLogistic(problem: Problem, tolerance: number): Solution {
  const columns = problem.columns()
  const loss = logisticLoss(problem)
  const weights = new Float64Array(columns.size)
  const scores = new Float64Array(columns.count)
  const active = createActiveSet(columns.size)
  const model: Quadratic = {
    columns,
    slopes: new Float64Array(columns.size),
    curvatures: new Float64Array(columns.size),
    rowCurvatures: new Float64Array(columns.count),
    ridge: RIDGE,
  }
  const rowSlopes = new Float64Array(columns.count)
  let shrinkAbove = Infinity
  let [firstSum, innerTolerance] = [0, 1]

  for (let pass = 1; pass <= PASSES; pass++) {
    for (let i = 0; i < columns.count; i++) {
      rowSlopes[i] = loss.slope(i, scores[i] ?? 0)
      model.rowCurvatures[i] = loss.curvature(i, scores[i] ?? 0)
    }
    active.size = columns.size
    let [largest, sum] = [0, 0]
    let at = 0
    while (at < active.size) {
      const j = active.order[at] ?? 0
      setDerivatives(model, rowSlopes, j)
      const slopes = slopesOf(model.slopes[j] ?? 0)
      const weight = weights[j] ?? 0
      if (weight === 0 && slopes.up > shrinkAbove && slopes.down < -shrinkAbove) {
        drop(active, at)
        continue
      }
      at++
      const violation = violationOf(weight, slopes)
      largest = Math.max(largest, violation)
      sum += violation
    }
    if (pass === 1) firstSum = sum
    if (sum <= tolerance * firstSum) return { weights, passes: pass, converged: true }
    shrinkAbove = largest / columns.count

    const beat = (): void => problem.beat(pass / PASSES)
    const found = minimizeQuadratic(model, weights, active, innerTolerance * firstSum, problem.random, beat)
    if (found.passes === 1) innerTolerance *= 0.25
    const length = search(weights, scores, found, model.slopes, loss.value)
    if (length === 0) return { weights, passes: pass, converged: true }
  }
  return { weights, passes: PASSES, converged: false }
}

function setDerivatives(
  { columns, slopes, curvatures, rowCurvatures, ridge }: Quadratic,
  rowSlopes: Float64Array,
  j: number,
): void {
  const end = columns.offsets[j + 1] ?? 0
  let [slope, curvature] = [0, ridge]
  for (let cell = columns.offsets[j] ?? 0; cell < end; cell++) {
    const i = columns.rows[cell] ?? 0
    const value = columns.values[cell] ?? 0
    slope += value * (rowSlopes[i] ?? 0)
    curvature += value * value * (rowCurvatures[i] ?? 0)
  }
  slopes[j] = slope
  curvatures[j] = curvature
}

/** Moves weights and scores towards the model's minimum as far as the objective falls enough; the share taken, 0 for none. */
function search(
  weights: Float64Array,
  scores: Float64Array,
  found: { readonly weights: Float64Array; readonly scores: Float64Array },
  slopes: Float64Array,
  loss: (row: number, score: number) => number,
): number {
  const before = absoluteSum(weights)
  let lossBefore = 0
  for (let i = 0; i < scores.length; i++) lossBefore += loss(i, scores[i] ?? 0)
  let promised = absoluteSum(found.weights) - before
  for (let j = 0; j < weights.length; j++) {
    promised += (slopes[j] ?? 0) * ((found.weights[j] ?? 0) - (weights[j] ?? 0))
  }
  let length = 1
  for (let halving = 0; halving < HALVINGS; halving++) {
    const moved = weights.map((weight, j) => blend(weight, found.weights[j] ?? 0, length))
    let change = absoluteSum(moved) - before - lossBefore
    for (let i = 0; i < scores.length; i++) change += loss(i, (scores[i] ?? 0) + length * (found.scores[i] ?? 0))
    if (change <= SUFFICIENT_DECREASE * length * promised) {
      weights.set(moved)
      for (let i = 0; i < scores.length; i++) scores[i] = (scores[i] ?? 0) + length * (found.scores[i] ?? 0)
      return length
    }
    length *= 0.5
  }
  return 0
}

/** The whole way is the end itself, so that exact zeros stay. */
function blend(from: number, to: number, share: number): number {
  return share === 1 ? to : from + share * (to - from)
}

function absoluteSum(vector: Float64Array): number {
  return vector.reduce((sum, entry) => sum + Math.abs(entry), 0)
}
