import { numberFromText } from '../../../../sql/schema/number-text.ts'
import type { AttributeType, ComputedAttribute } from '../../../../sql/schema/schema.ts'
import type { Evaluate, Operation } from '../values.ts'

const numeric: ReadonlySet<AttributeType> = new Set(['LONG', 'DOUBLE'])

const fromText = (value: unknown): unknown => (typeof value === 'string' ? numberFromText(value) : value)

/** Text is read as a number where the declared type is one. */
const readingText = ({ type }: ComputedAttribute, evaluate: Evaluate): Evaluate =>
  numeric.has(type) ? (event) => fromText(evaluate(event)) : evaluate

export const copy: Operation = (attribute, readInput) => {
  const [input = ''] = attribute.inputs
  return readingText(attribute, readInput(input))
}

export const copyValue: Operation = (attribute) => {
  const [literal] = attribute.inputs
  return readingText(attribute, () => literal)
}
