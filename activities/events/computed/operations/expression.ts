import { attributesOf, compileExpression } from '../../../../sql/expression/index.ts'
import { expressionOf } from '../../../../sql/schema/check/computed-expression.ts'
import type { Operation } from '../values.ts'

/** MATH_EXP, and each function of values that is an operation by itself. */
export const expression: Operation = (attribute, readInput) => {
  const parsed = expressionOf(attribute)
  if (parsed === undefined) throw new Error(`${attribute.operation} is no expression`)
  const evaluate = compileExpression(parsed)
  const readers = new Map(attributesOf(parsed).map((name) => [name, readInput(name)]))
  return (event) => evaluate((name) => readers.get(name)?.(event))
}
