import { Refusal } from '../../../base/refusal.ts'
import type { Target } from '../../dataset.ts'
import { listOf, numberOf, type Parameter, type Parameters } from '../../parameters.ts'
import { checkClassWeights, classWeightParameter } from '../class-weights.ts'
import { type KernelType, kernelType, type SvmSettings, type SvmType, svmType } from './settings.ts'

const huge = 1e15
const tiny = 1e-12

export const svmParameters: readonly Parameter[] = [
  {
    name: 'svm_type',
    type: 'integer',
    oneOf: Object.values(svmType),
    codes: { C_SVC: 0, NU_SVC: 1, ONE_CLASS: 2, EPSILON_SVR: 3, NU_SVR: 4 },
    description:
      'the kind of machine; without it C_SVC where the target is classes, EPSILON_SVR where it is numbers; ONE_CLASS needs no target',
  },
  {
    name: 'kernel_type',
    aliases: ['kernel'],
    type: 'integer',
    default: kernelType.rbf,
    oneOf: Object.values(kernelType),
    codes: { LINEAR: 0, POLY: 1, RBF: 2, SIGMOID: 3 },
    description:
      "linear u'v, poly (gamma u'v + coef0)^degree, rbf exp(-gamma |u - v|^2), sigmoid tanh(gamma u'v + coef0)",
  },
  {
    name: 'degree',
    aliases: ['d'],
    type: 'integer',
    default: 3,
    min: 0,
    max: 100,
    description: 'degree of the poly kernel',
  },
  {
    name: 'gamma',
    aliases: ['g'],
    type: 'number',
    min: 0,
    max: huge,
    description: 'factor in the poly, rbf and sigmoid kernels; without it 1 / attributes',
  },
  {
    name: 'coef0',
    aliases: ['r'],
    type: 'number',
    default: 0,
    min: -huge,
    max: huge,
    description: 'constant in the poly and sigmoid kernels',
  },
  {
    name: 'cost',
    aliases: ['C', 'c'],
    type: 'number',
    default: 1,
    min: tiny,
    max: huge,
    description: 'what a violation costs; C_SVC, EPSILON_SVR, NU_SVR',
  },
  {
    name: 'nu',
    aliases: ['n'],
    type: 'number',
    default: 0.5,
    min: tiny,
    max: 1,
    description: 'share of support vectors at least, of errors at most; NU_SVC, ONE_CLASS, NU_SVR',
  },
  {
    name: 'eps_svr',
    aliases: ['p'],
    type: 'number',
    default: 0.1,
    min: 0,
    max: huge,
    description: 'half width of the tube in which EPSILON_SVR counts no error',
  },
  {
    name: 'cache_size',
    aliases: ['m'],
    type: 'number',
    default: 100,
    min: 1,
    max: 65536,
    description: 'megabytes for kernel rows',
  },
  {
    name: 'termination_criteria',
    aliases: ['eps', 'e'],
    type: 'number',
    default: 0.001,
    min: tiny,
    max: 1,
    description: 'how far the conditions of the optimum may be violated at the end',
  },
  {
    name: 'shrinking',
    aliases: ['h'],
    type: 'integer',
    default: 1,
    oneOf: [0, 1],
    description: '1 sets variables aside that will most likely not move any more',
  },
  {
    name: 'probability',
    aliases: ['prob', 'b'],
    type: 'integer',
    default: 0,
    oneOf: [0, 1],
    description: '1 also learns probabilities, by five-fold cross-validation',
  },
  { ...classWeightParameter, description: `${classWeightParameter.description} (C_SVC)` },
  {
    name: 'nr_weight',
    type: 'integer',
    min: 0,
    max: 100_000,
    description: 'number of weights; without it as many as are given',
  },
  { name: 'weight_label', type: 'list', description: 'labels of the classes with a weight of their own (C_SVC)' },
  { name: 'weight', type: 'list', min: tiny, max: huge, description: 'factors on cost, one for each of weight_label' },
  {
    name: 'seed',
    type: 'integer',
    default: 1,
    min: 0,
    max: 2 ** 31 - 1,
    description: 'starts the random numbers that draw the folds for probabilities',
  },
]

/** With the `svm_type` that the target asks for, where the request gave none; only classes have weights. */
export function withSvmType(parameters: Parameters, target: Target): Parameters {
  const types = { classes: svmType.cSvc, numbers: svmType.epsilonSvr, none: svmType.oneClass }
  const { [classWeightParameter.name]: weight, ...rest } = parameters
  const isWeighed = weight !== undefined && target.kind === 'classes'
  return { svm_type: types[target.kind], ...rest, ...(isWeighed && { [classWeightParameter.name]: weight }) }
}

/** Throws a `Refusal` where parameters that are right one by one do not fit together. */
export function svmSettings(parameters: Parameters, columns: number): SvmSettings {
  const number = (name: string) => numberOf(parameters, name)
  const type = oneOf<SvmType>(Object.values(svmType), numberOf(parameters, 'svm_type', svmType.cSvc))
  if (type !== svmType.cSvc && parameters[classWeightParameter.name] !== undefined)
    throw new Refusal('class_weight is for svm_type C_SVC')
  return {
    type,
    kernel: oneOf<KernelType>(Object.values(kernelType), number('kernel_type')),
    degree: number('degree'),
    gamma: numberOf(parameters, 'gamma', columns > 0 ? 1 / columns : 0),
    coef0: number('coef0'),
    cost: number('cost'),
    nu: number('nu'),
    tube: number('eps_svr'),
    cacheMegabytes: number('cache_size'),
    tolerance: number('termination_criteria'),
    shrinking: number('shrinking') === 1,
    probability: number('probability') === 1,
    weights: weightsOf(parameters),
    seed: number('seed'),
  }
}

function oneOf<Code extends number>(codes: readonly Code[], value: number): Code {
  const code = codes.find((known) => known === value)
  if (code === undefined) throw new TypeError(`${value} is none of ${codes.join(', ')}`)
  return code
}

function weightsOf(parameters: Parameters): SvmSettings['weights'] {
  checkClassWeights(parameters)
  const weights = listOf(parameters, 'weight')
  return listOf(parameters, 'weight_label').map((label, i) => ({ label, weight: Number(weights[i]) }))
}
