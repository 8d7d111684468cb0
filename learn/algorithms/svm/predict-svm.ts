import type { Features } from '../../dataset.ts'
import { classPairs } from './class-groups.ts'
import { decide } from './decide.ts'
import type { FittedSvm } from './fitted-svm.ts'
import { coupleProbabilities } from './probability/coupling.ts'
import { minProbability, sigmoidProbability } from './probability/sigmoid.ts'
import { classifies, svmType } from './settings.ts'

export type SvmPredictions = {
  /** Numbers of a regression, 1 and -1 of a one-class machine, else indices into the model's `labels`. */
  readonly values: Float64Array
  /** `[rows, labels]` row-major. */
  readonly probabilities?: Float64Array
  /** `[rows, pairs]` row-major. */
  readonly decisions: Float64Array
}

/** The ONNX graph in plain TypeScript: for cross-validation, and the oracle of the graph's tests. */
export function predictSvm(fitted: FittedSvm, features: Features): SvmPredictions {
  const decisions = decide(fitted, features)
  if (fitted.type === svmType.oneClass) return { decisions, values: decisions.map((value) => (value > 0 ? 1 : -1)) }
  if (!classifies(fitted)) return { decisions, values: decisions }
  const probabilities = probabilitiesOf(fitted, decisions)
  const scores = probabilities === undefined || fitted.votes ? votes(fitted.labels.length, decisions) : probabilities
  const values = highest(scores, fitted.labels.length)
  return probabilities === undefined ? { decisions, values } : { decisions, values, probabilities }
}

function votes(classes: number, decisions: Float64Array): Float64Array {
  const pairs = classPairs(classes)
  const counts = new Float64Array((decisions.length / pairs.length) * classes)
  for (const [at, decision] of decisions.entries()) {
    const [i, j] = pairs[at % pairs.length] ?? [0, 0]
    const place = Math.floor(at / pairs.length) * classes + (decision > 0 ? i : j)
    counts[place] = (counts[place] ?? 0) + 1
  }
  return counts
}

function probabilitiesOf({ labels, sigmoids }: FittedSvm, decisions: Float64Array): Float64Array | undefined {
  if (sigmoids === undefined) return undefined
  const k = labels.length
  const pairs = classPairs(k)
  const rows = decisions.length / pairs.length
  const probabilities = new Float64Array(rows * k)
  const r = new Float64Array(k * k)
  for (let row = 0; row < rows; row++) {
    for (const [pair, [i, j]] of pairs.entries()) {
      const sigmoid = sigmoids[pair] ?? { slope: 0, shift: 0 }
      const p = sigmoidProbability(decisions[row * pairs.length + pair] ?? 0, sigmoid)
      r[i * k + j] = Math.min(Math.max(p, minProbability), 1 - minProbability)
      r[j * k + i] = 1 - (r[i * k + j] ?? 0)
    }
    probabilities.set(k === 2 ? [r[1] ?? 0, r[2] ?? 0] : coupleProbabilities(r, k), row * k)
  }
  return probabilities
}

/** The first of equal scores. */
function highest(scores: Float64Array, classes: number): Float64Array {
  return Float64Array.from({ length: scores.length / classes }, (_, row) => {
    const own = scores.subarray(row * classes, (row + 1) * classes)
    return own.indexOf(Math.max(...own))
  })
}
