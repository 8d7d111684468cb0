import type { Algorithm } from '../../../../learn/algorithms/algorithm.ts'
import { checkClassWeights } from '../../../../learn/algorithms/class-weights.ts'
import { decodeScriptParameters } from '../../../../learn/algorithms/script-parameters.ts'
import { svmSettings } from '../../../../learn/algorithms/svm/index.ts'
import { decodeParameters, type Parameters } from '../../../../learn/parameters.ts'

/**
 * `algo_param` by the algorithm's own table; throws a `Refusal` that names every fault. It may be the `tuned_algo_params`
 * of a training as they were told, whose `train_perf` is a measure and no parameter.
 */
export function decodeOwnParameters(
  { name, learnsFrom, parameters: table }: Algorithm,
  raw: Readonly<Record<string, unknown>>,
): Parameters {
  if (learnsFrom === 'script') {
    // Its other members are the script's own.
    const { script } = decodeScriptParameters(raw)
    return { script }
  }
  const { train_perf: _, ...given } = raw
  const parameters = decodeParameters(table, given)
  if (name === 'SVM') svmSettings(parameters, 1)
  checkClassWeights(parameters)
  return parameters
}
