import type { Solution } from '../problem.ts'
import type { Rows } from '../rows.ts'
import { minimizeSmooth, type SmoothLosses } from './newton.ts'

export type MultinomialProblem = {
  readonly rows: Rows
  readonly classes: Int32Array
  /** C of each class. */
  readonly costs: Float64Array
  readonly eps: number
  readonly beat: (share: number) => void
}

/**
 * Logistic regression of all classes together: min 0.5 sum |w_m|^2 + sum_i C log(sum_m exp(w_m'x_i - w_y'x_i)), y being the
 * class of row i. Gives the weight vectors of the classes, one behind the other.
 */
export function solveMultinomial(problem: MultinomialProblem): Solution {
  const { classes, costs, eps, beat } = problem
  const counts = new Int32Array(costs.length)
  for (const own of classes) counts[own] = (counts[own] ?? 0) + 1
  // As LIBLINEAR does with two classes: the fewer rows one has, the sharper.
  const tolerance = (eps * Math.max(Math.min(...counts), 1)) / Math.max(classes.length, 1)
  return minimizeSmooth(lossesOf(problem), { tolerance }, beat)
}

function lossesOf({ rows, classes, costs }: MultinomialProblem): SmoothLosses {
  const count = costs.length
  const probabilities = new Float64Array(rows.count * count)
  /** Changes a row's scores into probabilities, and gives the log of their divisor. */
  const normalize = (values: Float64Array, start: number): number => {
    let [greatest, sum] = [-Infinity, 0]
    for (let m = 0; m < count; m++) greatest = Math.max(greatest, values[start + m] ?? 0)
    for (let m = 0; m < count; m++) {
      const power = Math.exp((values[start + m] ?? 0) - greatest)
      values[start + m] = power
      sum += power
    }
    for (let m = 0; m < count; m++) values[start + m] = (values[start + m] ?? 0) / sum
    return greatest + Math.log(sum)
  }
  const parts = (weights: Float64Array): readonly Float64Array[] =>
    Array.from(costs, (_, m) => weights.subarray(m * rows.size, (m + 1) * rows.size))
  const own = new Float64Array(count)

  return {
    weights: count * rows.size,
    scores: rows.count * count,
    scoresOf: (weights) => {
      const scores = new Float64Array(rows.count * count)
      for (const [m, part] of parts(weights).entries()) {
        for (let i = 0; i < rows.count; i++) scores[i * count + m] = rows.dot(i, part)
      }
      return scores
    },
    sum: (from, scores, step, length) => {
      let sum = from
      for (let i = 0; i < rows.count; i++) {
        for (let m = 0; m < count; m++) {
          own[m] = (scores[i * count + m] ?? 0) + length * (step[i * count + m] ?? 0)
        }
        const label = classes[i] ?? 0
        const score = own[label] ?? 0
        sum += (costs[label] ?? 0) * (normalize(own, 0) - score)
      }
      return sum
    },
    addGradient: (scores, gradient) => {
      const into = parts(gradient)
      for (let i = 0; i < rows.count; i++) {
        own.set(scores.subarray(i * count, (i + 1) * count))
        normalize(own, 0)
        const label = classes[i] ?? 0
        const cost = costs[label] ?? 0
        for (const [m, part] of into.entries()) rows.add(i, cost * ((own[m] ?? 0) - (m === label ? 1 : 0)), part)
      }
    },
    bendAt: (scores) => {
      probabilities.set(scores)
      const diagonal = new Float64Array(count * rows.size).fill(1)
      const squares = parts(diagonal)
      for (let i = 0; i < rows.count; i++) {
        normalize(probabilities, i * count)
        const cost = costs[classes[i] ?? 0] ?? 0
        for (const [m, part] of squares.entries()) {
          const share = probabilities[i * count + m] ?? 0
          rows.addSquares(i, cost * share * (1 - share), part)
        }
      }
      return {
        diagonal,
        multiply: (direction, image) => {
          image.set(direction)
          const [from, into] = [parts(direction), parts(image)]
          for (let i = 0; i < rows.count; i++) {
            const start = i * count
            const cost = costs[classes[i] ?? 0] ?? 0
            let mean = 0
            for (const [m, part] of from.entries()) {
              const moved = rows.dot(i, part)
              own[m] = moved
              mean += (probabilities[start + m] ?? 0) * moved
            }
            for (const [m, part] of into.entries()) {
              rows.add(i, cost * (probabilities[start + m] ?? 0) * ((own[m] ?? 0) - mean), part)
            }
          }
        },
      }
    },
  }
}
