import type { Problem, Solution } from '../problem.ts'
import { dot, solveByConjugateGradients } from './conjugate-gradients.ts'
import type { Loss } from './losses.ts'

const ITERATIONS = 1000
const HALVINGS = 20
const SUFFICIENT_DECREASE = 0.01

/**
 * min 0.5 w'w + sum loss_i(w'x_i) by a truncated Newton method with line search, as LIBLINEAR since 2.40: Galli and Lin,
 * IEEE TNNLS 2021. Stops where the gradient's norm is at most `tolerance` times its norm at w = 0.
 */
export function minimizeByNewton(problem: Problem, loss: Loss, tolerance: number, start?: Float64Array): Solution {
  const { rows } = problem
  const weights = start?.slice() ?? new Float64Array(rows.size)
  const scores = start === undefined ? new Float64Array(rows.count) : scoresOf(problem, weights)
  const curvatures = new Float64Array(rows.count)
  const gradient = new Float64Array(rows.size)
  fillGradient(problem, loss, new Float64Array(rows.size), new Float64Array(rows.count), gradient)
  const enough = tolerance * norm(gradient)
  if (start !== undefined) fillGradient(problem, loss, weights, scores, gradient)
  let value = valueOf(loss, scores, 0.5 * dot(weights, weights))
  let passes = 0

  while (norm(gradient) > enough) {
    if (passes === ITERATIONS) return { weights, passes, converged: false }
    passes++
    for (let i = 0; i < rows.count; i++) curvatures[i] = loss.curvature(i, scores[i] ?? 0)
    const step = solveByConjugateGradients(rows, curvatures, gradient, () => problem.beat(passes / ITERATIONS))
    const before = value
    const length = search(problem, loss, { weights, scores, step, value, descent: dot(step, gradient) })
    // No step makes f smaller in this precision: here the method ends, as LIBLINEAR's does.
    if (length === 0) break
    fillGradient(problem, loss, weights, scores, gradient)
    value = valueOf(loss, scores, 0.5 * dot(weights, weights))
    if (Math.abs(before - value) <= 1e-12 * Math.abs(value)) break
  }
  return { weights, passes, converged: true }
}

type Move = {
  readonly weights: Float64Array
  readonly scores: Float64Array
  readonly step: Float64Array
  readonly value: number
  /** The gradient along the step. */
  readonly descent: number
}

/** Halves the step until f falls enough (Armijo), then moves weights and scores; the length taken, 0 for none. */
function search(problem: Problem, loss: Loss, { weights, scores, step, value, descent }: Move): number {
  const stepScores = scoresOf(problem, step)
  const [ww, ws, ss] = [dot(weights, weights), dot(weights, step), dot(step, step)]
  let length = 1
  for (let halving = 0; halving < HALVINGS; halving++) {
    let moved = 0.5 * (ww + 2 * length * ws + length * length * ss)
    for (let i = 0; i < scores.length; i++) moved += loss.value(i, (scores[i] ?? 0) + length * (stepScores[i] ?? 0))
    if (moved - value <= SUFFICIENT_DECREASE * length * descent) {
      for (let i = 0; i < scores.length; i++) scores[i] = (scores[i] ?? 0) + length * (stepScores[i] ?? 0)
      for (let j = 0; j < weights.length; j++) weights[j] = (weights[j] ?? 0) + length * (step[j] ?? 0)
      return length
    }
    length *= 0.5
  }
  return 0
}

function fillGradient(
  { rows }: Problem,
  loss: Loss,
  weights: Float64Array,
  scores: Float64Array,
  gradient: Float64Array,
): void {
  gradient.set(weights)
  for (let i = 0; i < rows.count; i++) {
    const slope = loss.slope(i, scores[i] ?? 0)
    if (slope !== 0) rows.add(i, slope, gradient)
  }
}

function scoresOf({ rows }: Problem, weights: Float64Array): Float64Array {
  const scores = new Float64Array(rows.count)
  for (let i = 0; i < rows.count; i++) scores[i] = rows.dot(i, weights)
  return scores
}

function valueOf(loss: Loss, scores: Float64Array, regularization: number): number {
  let sum = regularization
  for (let i = 0; i < scores.length; i++) sum += loss.value(i, scores[i] ?? 0)
  return sum
}

function norm(vector: Float64Array): number {
  return Math.sqrt(dot(vector, vector))
}
