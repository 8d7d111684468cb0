import { attributesOf, compileExpression, parseExpression } from '../../../../sql/expression/index.ts'
import { type Operation, toNumber } from '../values.ts'

export const expression: Operation = ({ inputs: [text = ''] }, readInput) => {
  const parsed = parseExpression(String(text))
  const evaluate = compileExpression(parsed)
  const readers = new Map(attributesOf(parsed).map((name) => [name, readInput(name)]))
  return (event) => evaluate((name) => toNumber(readers.get(name)?.(event)))
}
