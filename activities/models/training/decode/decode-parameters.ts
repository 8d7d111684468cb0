import type { Algorithm } from '../../algorithms/algorithm.ts'
import { decodeScriptParameters } from '../../algorithms/python/parameters.ts'
import { svmSettings } from '../../algorithms/svm/index.ts'
import { decodeParameters, type Parameters } from '../../parameters.ts'

/** `algo_param` by the algorithm's own table; throws a `Refusal` that names every fault. */
export function decodeOwnParameters(
  { name, learnsFrom, parameters: table }: Algorithm,
  raw: Readonly<Record<string, unknown>>,
): Parameters {
  if (learnsFrom === 'script') {
    // Its other members are the script's own.
    const { script } = decodeScriptParameters(raw)
    return { script }
  }
  const parameters = decodeParameters(table, raw)
  // Weights that are not as many as their labels.
  if (name === 'SVM') svmSettings(parameters, 1)
  return parameters
}
