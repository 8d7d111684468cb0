import type { Features } from '../../dataset.ts'
import { withoutExcess } from '../class-weights.ts'
import { copyRow } from '../copy-row.ts'
import { pickClasses, softmaxInPlace, twoProbabilities } from '../labels.ts'
import type { Forest, TreeModel } from './model.ts'

/** `[rows, outputs]` row-major: numbers, or the log-odds of the first of two classes, or a score a class. */
export function scoreTree(model: TreeModel, features: Features): Float64Array {
  const { base, scale, forest, columns } = model
  const outputs = base.length
  const scores = new Float64Array(features.rows * outputs)
  const cells = new Float64Array(columns)
  const sums = new Float64Array(outputs)
  for (let row = 0; row < features.rows; row++) {
    copyRow(features, row, cells)
    sums.fill(0)
    for (const [tree, root] of forest.roots.entries()) {
      const output = forest.outputs[tree] ?? 0
      sums[output] = (sums[output] ?? 0) + leafValue(forest, root, cells)
    }
    for (let m = 0; m < outputs; m++) scores[row * outputs + m] = (base[m] ?? 0) + scale * Math.fround(sums[m] ?? 0)
  }
  return scores
}

function leafValue(
  { features, thresholds, missingLeft, left, right, values }: Forest,
  root: number,
  cells: Float64Array,
): number {
  let node = root
  for (;;) {
    const feature = features[node] ?? -1
    if (feature < 0) return values[node] ?? 0
    const value = cells[feature] ?? 0
    const goesLeft = Number.isNaN(value) ? missingLeft[node] === 1 : value <= (thresholds[node] ?? 0)
    node = (goesLeft ? left[node] : right[node]) ?? 0
  }
}

/** Indices into the model's labels; for a regression the numbers. */
export function predictTree(model: TreeModel, features: Features): Int32Array | Float64Array {
  const scores = scoreTree(model, features)
  if (model.labels === undefined) return scores
  return pickClasses(scores, model.base.length)
}

/** `[rows, labels]` row-major, of a classifier. */
export function treeProbabilities(model: TreeModel, features: Features): Float64Array {
  const scores = withoutExcess(scoreTree(model, features), model.excess)
  const outputs = model.base.length
  if (outputs === 1) return twoProbabilities(scores)
  return softmaxInPlace(scores, outputs)
}
