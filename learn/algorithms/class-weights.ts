import { Refusal } from '../../base/refusal.ts'
import type { Classes, Target } from '../dataset.ts'
import { maxClasses } from '../encoding/target.ts'
import { listOf, numberOf, type Parameter, type Parameters } from '../parameters.ts'

export const classWeightParameter: Parameter = {
  name: 'class_weight',
  type: 'text',
  oneOf: ['balanced'],
  description:
    'balanced: all classes cost the same, however few their rows; in place of weight; probabilities stay those of the data as they are',
}

export const classWeightParameters: readonly Parameter[] = [
  classWeightParameter,
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
  if (isBalanced(parameters) && names.length + weights.length > 0)
    throw new Refusal('class_weight is balanced, and weight_label or weight is given; give one')
  if (names.length > maxClasses)
    throw new Refusal(
      `weight_label has ${names.length} entries, more than the ${maxClasses} labels that a target can have`,
    )
  const wrong = weights.find((weight) => typeof weight !== 'number' || weight <= 0)
  if (wrong !== undefined) throw new Refusal(`weight '${wrong}' must be a number above 0`)
  if (names.length === weights.length && (count === 0 || count === names.length)) return
  throw new Refusal(
    `weight_label has ${names.length} entries, weight has ${weights.length} and nr_weight is ${count}; they must agree`,
  )
}

export const isBalanced = (parameters: Parameters): boolean => parameters[classWeightParameter.name] !== undefined

/** Rows / (classes x rows of the class), so that all classes count the same; 1 for a class without rows. */
function balancedWeights({ labels, classes }: Classes): readonly number[] {
  const counts = labels.map(() => 0)
  for (const label of classes) counts[label] = (counts[label] ?? 0) + 1
  const seen = counts.filter((count) => count > 0).length
  return counts.map((count) => (count === 0 ? 1 : classes.length / (seen * count)))
}

/** With the weights that `class_weight` asks for: rows / (classes x rows of the class). */
export function withBalance(parameters: Parameters, target: Target, log: (line: string) => void): Parameters {
  const { [classWeightParameter.name]: asked, ...rest } = parameters
  if (asked === undefined) return parameters
  checkClassWeights(parameters)
  if (target.kind !== 'classes') {
    log('class_weight does nothing: the target is no classes')
    return rest
  }
  const weights = balancedWeights(target)
  const shown = target.labels.slice(0, 10).map((label, i) => `${label} ${Number((weights[i] ?? 1).toPrecision(4))}`)
  log(`class weights are balanced: ${shown.join(', ')}${target.labels.length > 10 ? ', ...' : ''}`)
  return { ...rest, weight_label: target.labels, weight: weights, nr_weight: target.labels.length }
}

/**
 * By label the places of the names that name it: a label that is a text is named as it is written, one that is a number by
 * any text of that number.
 */
export function placesOfNames(
  names: readonly (number | string)[],
  labels: readonly (number | string)[],
): readonly (readonly number[])[] {
  const places = new Map<number | string, number[]>()
  for (const [place, name] of names.entries()) {
    const text = String(name)
    const number = text.trim() === '' ? Number.NaN : Number(text)
    for (const key of Number.isNaN(number) ? [text] : [text, number]) {
      const known = places.get(key)
      if (known === undefined) places.set(key, [place])
      else known.push(place)
    }
  }
  return labels.map((label) => places.get(label) ?? [])
}

/** So many names without a label get a sentence of their own. */
const maxStrays = 10

/** Sentences for the names of `weight_label` that no row has, whose weights do nothing. */
export function strayWeights(
  names: readonly (number | string)[],
  labels: readonly (number | string)[],
): readonly string[] {
  const named = new Set(placesOfNames(names, labels).flat())
  const strays = names.filter((_, place) => !named.has(place))
  const sentences = strays
    .slice(0, maxStrays)
    .map((name) => `weight_label '${String(name).slice(0, 40)}' is not a label of the data: its weight does nothing`)
  const more = strays.length - sentences.length
  return more > 0 ? [...sentences, `weight_label has ${more} more that are no labels of the data`] : sentences
}

/** A factor for each label; 1 where none is given. */
export function classWeights(
  parameters: Parameters,
  labels: readonly (number | string)[],
  log: (line: string) => void,
): number[] {
  checkClassWeights(parameters)
  const names = listOf(parameters, 'weight_label')
  const weights = listOf(parameters, 'weight')
  for (const stray of strayWeights(names, labels)) log(stray)
  return placesOfNames(names, labels).map(([place = -1]) => Number(weights[place] ?? 1))
}

/**
 * By output the logarithm of how much more its class cost than the rest, of balanced classes: scores less that are those of
 * the data as they are (King and Zeng, Logistic Regression in Rare Events Data, 2001). One output is of the first of two
 * classes.
 */
export function excessOf(parameters: Parameters, target: Target, outputs: number): Float64Array | undefined {
  if (target.kind !== 'classes' || !isBalanced(parameters)) return undefined
  const weights = balancedWeights(target)
  const [first = 1, second = 1] = weights
  return outputs === 1 ? Float64Array.of(Math.log(first / second)) : Float64Array.from(weights, Math.log)
}

/** The scores `[rows, outputs]` without the excess. */
export function withoutExcess(scores: Float64Array, excess: Float64Array | undefined): Float64Array {
  return excess === undefined ? scores : scores.map((score, cell) => score - (excess[cell % excess.length] ?? 0))
}
