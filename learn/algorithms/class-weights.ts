import { Refusal } from '../../base/refusal.ts'
import { listOf, numberOf, type Parameter, type Parameters } from '../parameters.ts'

export const classWeightParameters: readonly Parameter[] = [
  { name: 'nr_weight', type: 'integer', default: 0, min: 0, description: 'How many class weights there are' },
  { name: 'weight_label', type: 'list', default: [], description: 'The labels whose errors cost more or less' },
  {
    name: 'weight',
    type: 'list',
    default: [],
    min: 1e-10,
    max: 1e10,
    description: 'The factors of their cost, in the order of weight_label',
  },
]

/** Throws a `Refusal` where `weight_label` and `weight`, which LIBSVM counts by `nr_weight`, do not fit together. */
export function checkClassWeights(parameters: Parameters): void {
  const [names, weights] = [listOf(parameters, 'weight_label'), listOf(parameters, 'weight')]
  const count = numberOf(parameters, 'nr_weight', 0)
  const wrong = weights.find((weight) => typeof weight !== 'number' || weight <= 0)
  if (wrong !== undefined) throw new Refusal(`weight '${wrong}' must be a number above 0`)
  if (names.length === weights.length && (count === 0 || count === names.length)) return
  throw new Refusal(
    `weight_label has ${names.length} entries, weight has ${weights.length} and nr_weight is ${count}; they must agree`,
  )
}

/** A factor for each label; 1 where none is given. */
export function classWeights(
  parameters: Parameters,
  labels: readonly (number | string)[],
  log: (line: string) => void,
): number[] {
  checkClassWeights(parameters)
  const names = listOf(parameters, 'weight_label').map(String)
  const weights = listOf(parameters, 'weight')
  for (const name of names) {
    if (!labels.some((label) => String(label) === name)) log(`weight_label '${name}' is not a label of the data`)
  }
  return labels.map((label) => Number(weights[names.indexOf(String(label))] ?? 1))
}
