import type { Classes, Numbers } from '../../dataset.ts'
import type { Derivatives } from './histogram.ts'

/** A loss over the outputs' scores, which are `[outputs]` arrays by row. */
export type Objective = {
  /** The score of each output before the first tree; it counts in the scores. */
  readonly start: Float64Array
  /** The meaning of an output in the target's units: offset + scale * score. */
  readonly offset: number
  readonly scale: number
  readonly fill: (scores: readonly Float64Array[], into: readonly Derivatives[]) => void
  /** The loss of a row. */
  readonly lossOf: (scores: readonly Float64Array[], row: number) => number
  /** The mean loss of some rows. */
  readonly loss: (scores: readonly Float64Array[], rows: Int32Array) => number
}

/** Half the squared error, in units of the training rows' standard deviation. */
export function squaredError({ values }: Numbers, training: Int32Array): Objective {
  const mean = meanOf(training, (row) => values[row] ?? 0)
  const scale = Math.sqrt(meanOf(training, (row) => ((values[row] ?? 0) - mean) ** 2)) || 1
  const residual = (scores: readonly Float64Array[], row: number): number =>
    (scores[0]?.[row] ?? 0) - ((values[row] ?? 0) - mean) / scale
  return {
    start: Float64Array.of(0),
    offset: mean,
    scale,
    fill: (scores, [into]) => {
      if (into === undefined) return
      for (let row = 0; row < values.length; row++) into.gradients[row] = residual(scores, row)
      into.curvatures.fill(1)
    },
    ...losses((scores, row) => residual(scores, row) ** 2),
  }
}

/** The logistic loss of two classes; the score is the log-odds of the first one. */
export function logistic({ classes }: Classes, weights: readonly number[], training: Int32Array): Objective {
  const share = sharesOf(classes, weights, training)
  return {
    start: Float64Array.of(Math.log((share[0] ?? 0) / (share[1] ?? 0))),
    offset: 0,
    scale: 1,
    fill: ([scores], [into]) => {
      if (scores === undefined || into === undefined) return
      for (let row = 0; row < classes.length; row++) {
        const own = classes[row] ?? 0
        const weight = weights[own] ?? 1
        const probability = 1 / (1 + Math.exp(-(scores[row] ?? 0)))
        into.gradients[row] = weight * (probability - (own === 0 ? 1 : 0))
        into.curvatures[row] = weight * probability * (1 - probability)
      }
    },
    ...losses(([scores], row) => {
      const own = classes[row] ?? 0
      const margin = (own === 0 ? 1 : -1) * (scores?.[row] ?? 0)
      return (weights[own] ?? 1) * (Math.log1p(Math.exp(-Math.abs(margin))) + Math.max(-margin, 0))
    }),
  }
}

/** Cross-entropy of softmax; curvatures with the factor K / (K - 1) of Friedman, Annals of Statistics 2001, algorithm 6. */
export function softmax({ classes, labels }: Classes, weights: readonly number[], training: Int32Array): Objective {
  const count = labels.length
  const probabilities = new Float64Array(count)
  /** Fills the row's probabilities and gives the log of their divisor. */
  const normalize = (scores: readonly Float64Array[], row: number): number => {
    let [greatest, sum] = [-Infinity, 0]
    for (let m = 0; m < count; m++) greatest = Math.max(greatest, scores[m]?.[row] ?? 0)
    for (let m = 0; m < count; m++) {
      const power = Math.exp((scores[m]?.[row] ?? 0) - greatest)
      probabilities[m] = power
      sum += power
    }
    for (let m = 0; m < count; m++) probabilities[m] = (probabilities[m] ?? 0) / sum
    return greatest + Math.log(sum)
  }
  return {
    start: sharesOf(classes, weights, training).map(Math.log),
    offset: 0,
    scale: 1,
    fill: (scores, into) => {
      for (let row = 0; row < classes.length; row++) {
        normalize(scores, row)
        const own = classes[row] ?? 0
        const weight = weights[own] ?? 1
        for (let m = 0; m < count; m++) {
          const probability = probabilities[m] ?? 0
          const target = into[m]
          if (target === undefined) continue
          target.gradients[row] = weight * (probability - (m === own ? 1 : 0))
          target.curvatures[row] = (weight * probability * (1 - probability) * count) / (count - 1)
        }
      }
    },
    ...losses((scores, row) => {
      const own = classes[row] ?? 0
      return (weights[own] ?? 1) * (normalize(scores, row) - (scores[own]?.[row] ?? 0))
    }),
  }
}

const losses = (lossOf: Objective['lossOf']): Pick<Objective, 'lossOf' | 'loss'> => ({
  lossOf,
  loss: (scores, rows) => meanOf(rows, (row) => lossOf(scores, row)),
})

/** The weighted share of each class, never 0: a class may be in the held-out rows alone. */
function sharesOf(classes: Int32Array, weights: readonly number[], training: Int32Array): Float64Array {
  const sums = Float64Array.from(weights, () => 0)
  for (const row of training) {
    const own = classes[row] ?? 0
    sums[own] = (sums[own] ?? 0) + (weights[own] ?? 1)
  }
  const total = sums.reduce((sum, part) => sum + part, 0)
  return sums.map((sum) => Math.max(sum / total, 1e-6))
}

function meanOf(rows: Int32Array, value: (row: number) => number): number {
  let sum = 0
  for (const row of rows) sum += value(row)
  return sum / Math.max(rows.length, 1)
}
