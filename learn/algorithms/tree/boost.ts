import { Refusal } from '../../../base/refusal.ts'
import type { FitWatch, Target } from '../../dataset.ts'
import { numberOf, type Parameters } from '../../parameters.ts'
import { draw, type Random } from '../../random.ts'
import { classWeights, withBalance } from '../class-weights.ts'
import type { Bins } from './bins.ts'
import { addLeaves, addTree, type GrownTree } from './forest.ts'
import { createGrower, growTree } from './grow.ts'
import { layoutOf } from './histogram.ts'
import { logistic, type Objective, softmax, squaredError } from './objective.ts'

export type BoostedRows = { readonly bins: Bins; readonly target: Target; readonly training: Int32Array }

/** Rows of a leaf at least, where the parameters do not say it. */
export const usualLeaf = (rows: number): number => Math.min(20, Math.max(1, Math.floor(rows / 20)))

/** Grows one round of trees after the other on the rows of `training`, and scores all rows by them. */
export function createBooster(
  { bins, target, training }: BoostedRows,
  parameters: Parameters,
  random: Random,
  log: FitWatch['log'],
) {
  const objective = objectiveOf(target, training, parameters, log)
  const grower = createGrower(bins, layoutOf(bins), {
    minLeaf: numberOf(parameters, 'min_leaf', usualLeaf(training.length)),
    lambda: numberOf(parameters, 'lambda'),
    maxDepth: numberOf(parameters, 'max_depth'),
    learningRate: numberOf(parameters, 'learning_rate'),
  })
  const scores = Array.from(objective.start, (start) => new Float64Array(bins.rows).fill(start))
  const derivatives = scores.map(() => ({
    gradients: new Float64Array(bins.rows),
    curvatures: new Float64Array(bins.rows),
  }))
  const seen = Math.max(1, Math.round(numberOf(parameters, 'subsample') * training.length))
  const all = training.slice().sort()
  const outside = rowsWithout(all, bins.rows)
  return {
    objective,
    /** By output, a score a row. */
    scores: scores as readonly Float64Array[],
    /** A tree an output; `beat` is called before each. */
    grow(beat: () => void): readonly GrownTree[] {
      objective.fill(scores, derivatives)
      return derivatives.map((own, output) => {
        beat()
        if (seen < training.length) draw(training, random, seen)
        const grown = growTree(grower, seen < training.length ? training.slice(0, seen).sort() : all, own)
        const into = scores[output] ?? own.gradients
        addLeaves(grown, bins, into)
        addTree(grown, bins, outside, into)
        if (seen < training.length) addTree(grown, bins, training.subarray(seen), into)
        return { output, nodes: grown.nodes }
      })
    },
  }
}

/** The rows that these, which are ascending, are not among. */
function rowsWithout(some: Int32Array, rows: number): Int32Array {
  const others = new Int32Array(rows - some.length)
  let [at, next] = [0, 0]
  for (let row = 0; row < rows; row++) {
    if (some[at] === row) at++
    else others[next++] = row
  }
  return others
}

function objectiveOf(target: Target, training: Int32Array, parameters: Parameters, log: FitWatch['log']): Objective {
  const weighted = withBalance(parameters, target, log)
  if (target.kind === 'numbers') return squaredError(target, training)
  if (target.kind === 'none') throw new Refusal('trees need a target, and the data have none')
  if (target.labels.length < 2) throw new Refusal('the target has one class; a classifier needs two')
  const weights = classWeights(weighted, target.labels, log)
  return (target.labels.length === 2 ? logistic : softmax)(target, weights, training)
}
