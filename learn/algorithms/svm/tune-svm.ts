import type { Features } from '../../dataset.ts'
import type { Parameters } from '../../parameters.ts'
import type { Point } from '../../tuning/choose.ts'
import { judgeLabels, type Tunable } from '../../tuning/cross-validate.ts'
import { costExponents, gammaExponents, gridOf, powersOfTwo } from '../../tuning/grid.ts'
import { fitSvm } from './fit-svm.ts'
import type { FittedSvm } from './fitted-svm.ts'
import { predictSvm } from './predict-svm.ts'
import { kernelType, svmType } from './settings.ts'
import { svmSettings } from './svm-parameters.ts'

export const tunableSvm: Tunable<FittedSvm, Features> = {
  // Probabilities cost five fits more and say nothing about which point is best.
  fitModel: (features, target, parameters, watch) => fitSvm(features, target, { ...parameters, probability: 0 }, watch),
  judge: (fitted, features, truth) => judgeLabels(labelsOf(fitted, features), truth),
}

function labelsOf(fitted: FittedSvm, features: Features): ArrayLike<number | string> {
  const { values } = predictSvm(fitted, features)
  return fitted.labels.length === 0 ? values : Array.from(values, (index) => fitted.labels[index] ?? index)
}

/**
 * The axes that matter: nu-SVC has no C, a linear kernel no gamma. Empty for one-class machines, which have nothing to compare
 * with. Costs above the middle come last, the greatest at the end: by then a good candidate has been found beside which those
 * that take most steps can be given up.
 */
export function svmGrid(parameters: Parameters, trainSpeed: number): readonly Point[] {
  const { type, kernel } = svmSettings(parameters, 1)
  if (type === svmType.oneClass) return []
  const cost = type === svmType.nuSvc ? {} : { cost: powersOfTwo(costExponents, trainSpeed) }
  const gamma = kernel === kernelType.linear ? {} : { gamma: powersOfTwo(gammaExponents, trainSpeed) }
  const middle = 2 ** ((costExponents.from + costExponents.to) / 2)
  const late = ({ cost: own = 0 }: Point): number => Math.max(own, middle)
  return gridOf({ ...cost, ...gamma }).toSorted((a, b) => late(a) - late(b))
}

/** `tuned_algo_params` of a training's record. */
export function tunedSvmParameters(parameters: Parameters, columns: number, performance: number) {
  const settings = svmSettings(parameters, columns)
  return {
    C: settings.cost,
    g: settings.gamma,
    eps: settings.tolerance,
    p: settings.tube,
    nu: settings.nu,
    degree: settings.degree,
    coef0: settings.coef0,
    kernel_type: settings.kernel,
    svm_type: settings.type,
    cache_size: settings.cacheMegabytes,
    shrinking: settings.shrinking ? 1 : 0,
    prob: settings.probability ? 1 : 0,
    nr_weight: settings.weights.length,
    ...('class_weight' in parameters && { class_weight: parameters.class_weight }),
    train_perf: performance,
  }
}
