import type { Event } from '../../../base/json.ts'
import { numberFromText } from '../../../sql/schema/number-text.ts'
import type { AttributeType, ComputedAttribute } from '../../../sql/schema/schema.ts'
import type { Scalar } from '../values.ts'
import type { ReadInput } from './inputs.ts'

/** The values in an event of the attributes that a prediction reads, by name. */
export type Inputs = Readonly<Record<string, Scalar>>

/**
 * A label or number for each in order; undefined where there is no model, it fails, or there are no inputs, which it counts.
 * Never rejects.
 */
export type Predict = (
  attribute: ComputedAttribute,
  inputs: readonly (Inputs | undefined)[],
) => Promise<readonly unknown[]>

/**
 * Compiles the function that asks a model about many events at once. An input that an event lacks is a missing value to the
 * model, as in a line or a file; an event that lacks all of them gets undefined.
 */
export function compilePrediction(
  attribute: ComputedAttribute,
  readInput: ReadInput,
  predict: Predict,
): (events: readonly Event[]) => Promise<readonly unknown[]> {
  const names = attribute.inputs.filter((input) => typeof input === 'string')
  const readers = names.map((name) => ({ name, read: readInput(name) }))
  const asType = readLabel[attribute.type]

  const inputsOf = (event: Event): Inputs | undefined => {
    const inputs: Record<string, Scalar> = Object.create(null)
    let isThere = false
    for (const { name, read } of readers) {
      const value = read(event)
      if (value === undefined) continue
      inputs[name] = value
      isThere = true
    }
    return isThere ? inputs : undefined
  }

  return async (events) => {
    const labels = events.length > 0 ? await predict(attribute, events.map(inputsOf)) : []
    return events.map((_, index) => asType(labels[index]))
  }
}

/** A model may know numbers as text. */
const asNumber = (label: unknown): unknown => (typeof label === 'string' ? numberFromText(label) : label)

const truths = new Map<unknown, boolean>([
  [1, true],
  [0, false],
  ['1', true],
  ['0', false],
  ['true', true],
  ['false', false],
])

/** Entities are a list, which only a text can hold. */
const readLabel: Readonly<Record<AttributeType, (label: unknown) => unknown>> = {
  LONG: asNumber,
  DOUBLE: asNumber,
  STRING: (label) => (Array.isArray(label) ? JSON.stringify(label) : label),
  BOOL: (label) => truths.get(label),
  OBJECT: () => undefined,
}

/** Whether an attribute of that type can hold the answer of the model. */
export const holdsLabel = (type: AttributeType, label: unknown): boolean => readLabel[type](label) !== undefined
