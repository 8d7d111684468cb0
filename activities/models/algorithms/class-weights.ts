import { Refusal } from '../../../sql/refusal.ts'
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

/** A factor for each label (1 where none is given) from `weight_label` and `weight`, which LIBSVM counts by `nr_weight`. */
export function classWeights(
  parameters: Parameters,
  labels: readonly (number | string)[],
  log: (line: string) => void,
): number[] {
  const names = listOf(parameters, 'weight_label').map(String)
  const weights = listOf(parameters, 'weight')
  const count = numberOf(parameters, 'nr_weight', 0)
  if (names.length !== weights.length || (count > 0 && count !== names.length)) {
    throw new Refusal(
      `weight_label has ${names.length} entries, weight has ${weights.length} and nr_weight is ${count}; they must agree`,
    )
  }
  for (const name of names) {
    if (!labels.some((label) => String(label) === name)) log(`weight_label '${name}' is not a label of the data`)
  }
  return labels.map((label) => {
    const weight = weights[names.indexOf(String(label))] ?? 1
    if (typeof weight !== 'number' || weight <= 0) throw new Refusal(`weight '${weight}' must be a number above 0`)
    return weight
  })
}
