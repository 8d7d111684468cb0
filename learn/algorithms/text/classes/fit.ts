import { Refusal } from '../../../../base/refusal.ts'
import type { Classes, FitWatch } from '../../../dataset.ts'
import { decodeParameters, numberOf, type Parameters } from '../../../parameters.ts'
import { isBalanced } from '../../class-weights.ts'
import { fitLinear, linearParameters } from '../../linear/index.ts'
import { usualEps } from '../parameters.ts'
import type { FeatureScheme } from './features.ts'
import { type Weighing, weighTexts } from './weigh.ts'

/** Plain data: it crosses from a worker thread as it is. */
export type TextClassesModel = {
  readonly scheme: FeatureScheme
  readonly weighing: Weighing
  readonly labels: readonly (number | string)[]
  /** One for two labels (positive for the first one), else one a label. */
  readonly outputs: number
  /** `[rows, outputs]`; row 0 is zero. */
  readonly weights: Float32Array
  readonly intercepts: Float32Array
  /** By output, how much of its scores is due to balanced class weights: probabilities are without it. */
  readonly excess?: Float64Array
}

/** L2-regularised logistic regression by its dual, one label against the rest (LIBLINEAR's solver 7). */
const logisticByDual = 7

const shareOfReading = 0.2

/** `parameters` are decoded by `textClassesParameters`, or by `textParameters`. */
export function fitTextClasses(
  texts: readonly string[],
  target: Classes,
  parameters: Parameters,
  watch: FitWatch,
): TextClassesModel {
  if (target.labels.length < 2) throw new Refusal('the target has one class; a classifier needs two')
  const scheme = {
    bits: numberOf(parameters, 'hash_bits'),
    wordNgrams: numberOf(parameters, 'word_ngrams'),
    charNgrams: numberOf(parameters, 'char_ngrams'),
  }
  const { weighing, features } = weighTexts(texts, scheme, numberOf(parameters, 'min_count'), (share) =>
    watch.beat(shareOfReading * share, 'counting words'),
  )
  if (features.columns === 0) throw new Refusal('no text has a word that counts; see parameter min_count')
  watch.log(`${texts.length} texts, ${features.columns} features, ${target.labels.length} labels`)
  const { outputs, weights, excess } = fitLinear(
    features,
    target,
    decodeParameters(linearParameters, {
      solver: logisticByDual,
      C: numberOf(parameters, 'C'),
      eps: numberOf(parameters, 'eps', usualEps.ofClasses),
      seed: numberOf(parameters, 'seed'),
      ...(isBalanced(parameters) && { class_weight: 'balanced' }),
    }),
    { ...watch, beat: (share, note) => watch.beat(shareOfReading + (1 - shareOfReading) * share, note) },
  )
  const own = { scheme, weighing, labels: target.labels, outputs, ...(excess && { excess }) }
  return { ...own, ...byRow(weights, features.columns, outputs) }
}

/** The solver has a vector with its intercept an output; a graph looks up a row a feature. */
function byRow(vectors: Float64Array, columns: number, outputs: number) {
  const weights = new Float32Array((columns + 1) * outputs)
  const intercepts = new Float32Array(outputs)
  for (let output = 0; output < outputs; output += 1) {
    const vector = vectors.subarray(output * (columns + 1), (output + 1) * (columns + 1))
    for (let column = 0; column < columns; column += 1) {
      weights[(column + 1) * outputs + output] = vector[column] ?? 0
    }
    intercepts[output] = vector[columns] ?? 0
  }
  return { weights, intercepts }
}
