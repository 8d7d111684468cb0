import type { Problem, Solution } from '../problem.ts'
import { type Bend, dot, solveByConjugateGradients } from './conjugate-gradients.ts'
import type { Loss } from './losses.ts'

const ITERATIONS = 1000
const HALVINGS = 20
const SUFFICIENT_DECREASE = 0.01

/** A sum of smooth losses of the rows, each a function of the row's scores, which are linear in the weights. */
export type SmoothLosses = {
  readonly weights: number
  readonly scores: number
  readonly scoresOf: (weights: Float64Array) => Float64Array
  /** `from` and the losses at scores + length * step. */
  readonly sum: (from: number, scores: Float64Array, step: Float64Array, length: number) => number
  /** gradient += the derivatives of the losses by the weights */
  readonly addGradient: (scores: Float64Array, gradient: Float64Array) => void
  /** The gradient of 0.5 w'w and the losses; the next call overwrites it. */
  readonly bendAt: (scores: Float64Array) => Bend
}

type Goal = { readonly tolerance: number; readonly start?: Float64Array | undefined }

/** min 0.5 w'w + sum loss_i(w'x_i): a loss of one score a row. */
export function minimizeByNewton(problem: Problem, loss: Loss, tolerance: number, start?: Float64Array): Solution {
  return minimizeSmooth(lossesOf(problem, loss), { tolerance, start }, problem.beat)
}

/**
 * min 0.5 w'w + losses by a truncated Newton method with line search, as LIBLINEAR since 2.40: Galli and Lin, IEEE TNNLS
 * 2021. Stops where the gradient's norm is at most `tolerance` times its norm at w = 0.
 */
export function minimizeSmooth(
  losses: SmoothLosses,
  { tolerance, start }: Goal,
  beat: (share: number) => void,
): Solution {
  const weights = start?.slice() ?? new Float64Array(losses.weights)
  const scores = start === undefined ? new Float64Array(losses.scores) : losses.scoresOf(weights)
  const gradient = new Float64Array(losses.weights)
  losses.addGradient(start === undefined ? scores : new Float64Array(losses.scores), gradient)
  const enough = tolerance * norm(gradient)
  const fillGradient = (): void => {
    gradient.set(weights)
    losses.addGradient(scores, gradient)
  }
  if (start !== undefined) fillGradient()
  let value = losses.sum(0.5 * dot(weights, weights), scores, scores, 0)
  let passes = 0

  while (norm(gradient) > enough) {
    if (passes === ITERATIONS) return { weights, passes, converged: false }
    passes++
    const step = solveByConjugateGradients(losses.bendAt(scores), gradient, () => beat(passes / ITERATIONS))
    const before = value
    const length = search(losses, { weights, scores, step, value, descent: dot(step, gradient) })
    // No step makes f smaller in this precision: here the method ends, as LIBLINEAR's does.
    if (length === 0) break
    fillGradient()
    value = losses.sum(0.5 * dot(weights, weights), scores, scores, 0)
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
function search(losses: SmoothLosses, { weights, scores, step, value, descent }: Move): number {
  const stepScores = losses.scoresOf(step)
  const [ww, ws, ss] = [dot(weights, weights), dot(weights, step), dot(step, step)]
  let length = 1
  for (let halving = 0; halving < HALVINGS; halving++) {
    const moved = losses.sum(0.5 * (ww + 2 * length * ws + length * length * ss), scores, stepScores, length)
    if (moved - value <= SUFFICIENT_DECREASE * length * descent) {
      for (let i = 0; i < scores.length; i++) scores[i] = (scores[i] ?? 0) + length * (stepScores[i] ?? 0)
      for (let j = 0; j < weights.length; j++) weights[j] = (weights[j] ?? 0) + length * (step[j] ?? 0)
      return length
    }
    length *= 0.5
  }
  return 0
}

function lossesOf({ rows }: Problem, loss: Loss): SmoothLosses {
  const curvatures = new Float64Array(rows.count)
  return {
    weights: rows.size,
    scores: rows.count,
    scoresOf: (weights) => {
      const scores = new Float64Array(rows.count)
      for (let i = 0; i < rows.count; i++) scores[i] = rows.dot(i, weights)
      return scores
    },
    sum: (from, scores, step, length) => {
      let sum = from
      for (let i = 0; i < scores.length; i++) sum += loss.value(i, (scores[i] ?? 0) + length * (step[i] ?? 0))
      return sum
    },
    addGradient: (scores, gradient) => {
      for (let i = 0; i < rows.count; i++) {
        const slope = loss.slope(i, scores[i] ?? 0)
        if (slope !== 0) rows.add(i, slope, gradient)
      }
    },
    bendAt: (scores) => {
      const diagonal = new Float64Array(rows.size).fill(1)
      for (let i = 0; i < rows.count; i++) {
        const curvature = loss.curvature(i, scores[i] ?? 0)
        curvatures[i] = curvature
        if (curvature !== 0) rows.addSquares(i, curvature, diagonal)
      }
      return {
        diagonal,
        multiply: (direction, image) => {
          image.set(direction)
          for (let i = 0; i < rows.count; i++) {
            const curvature = curvatures[i] ?? 0
            if (curvature !== 0) rows.add(i, curvature * rows.dot(i, direction), image)
          }
        },
      }
    },
  }
}

function norm(vector: Float64Array): number {
  return Math.sqrt(dot(vector, vector))
}
