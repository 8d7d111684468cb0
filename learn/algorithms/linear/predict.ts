import type { Features } from '../../dataset.ts'
import { withoutExcess } from '../class-weights.ts'
import { dividedBySums, pickClasses, softmaxInPlace, twoProbabilities } from '../labels.ts'
import type { LinearModel } from './model.ts'
import { rowsOf } from './rows.ts'

/** `[rows, outputs]` row-major: w'x and the intercept. */
export function scoreLinear(model: LinearModel, features: Features): Float64Array {
  const rows = rowsOf(features, 1)
  const scores = new Float64Array(rows.count * model.outputs)
  for (let output = 0; output < model.outputs; output++) {
    const weights = model.weights.subarray(output * rows.size, (output + 1) * rows.size)
    for (let i = 0; i < rows.count; i++) scores[i * model.outputs + output] = rows.dot(i, weights)
  }
  return scores
}

/** Indices into the model's labels; for a regression the numbers. */
export function predictLinear(model: LinearModel, features: Features): Int32Array | Float64Array {
  const scores = scoreLinear(model, features)
  if (model.labels === undefined) return scores
  return pickClasses(scores, model.outputs)
}

/**
 * `[rows, labels]` row-major, of a logistic regression: the softmax of classes that were learnt together; else, of more than two
 * classes, divided by their sum, as LIBLINEAR does.
 */
export function linearProbabilities(model: LinearModel, features: Features): Float64Array {
  const scores = withoutExcess(scoreLinear(model, features), model.excess)
  if (model.outputs === 1) return twoProbabilities(scores)
  if (model.together) return softmaxInPlace(scores, model.outputs)
  return dividedBySums(
    scores.map((score) => 1 / (1 + Math.exp(-score))),
    model.outputs,
  )
}
