import { withDefaults } from '../parameters.ts'
import type { Algorithm, ScriptAlgorithm, TableAlgorithm } from './algorithm.ts'
import { kmeans } from './kmeans/algorithm.ts'
import { linear } from './linear/algorithm.ts'
import { scriptParameters } from './script-parameters.ts'
import { svm } from './svm/algorithm.ts'
import { texts } from './text/algorithms.ts'
import { tree } from './tree/algorithm.ts'

const script: ScriptAlgorithm = {
  name: 'PY',
  description: 'a Python script of your own, which writes model.onnx; it gets all other members of algo_param, too',
  parameters: scriptParameters,
  learnsFrom: 'script',
}

const projection: TableAlgorithm = {
  ...linear,
  name: 'PROJ_LIN',
  description: 'LIN with lag: the next value of a series, or one later, from its last values',
  parameters: withDefaults(linear.parameters, linear.series?.defaults),
  series: { ...linear.series, always: true },
}

/** Every algorithm there is. */
const all: readonly Algorithm[] = [svm, linear, projection, tree, kmeans, ...texts, script]

export const algorithms: ReadonlyMap<string, Algorithm> = new Map(all.map((algorithm) => [algorithm.name, algorithm]))

export function algorithmOf(name: string): Algorithm {
  const algorithm = algorithms.get(name)
  if (algorithm === undefined) throw new Error(`no algorithm ${name}`)
  return algorithm
}
