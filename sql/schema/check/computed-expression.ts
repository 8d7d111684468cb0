import {
  checkPattern,
  type Expression,
  parseExpression,
  typeOfExpression,
  type ValueType,
  valueFunctions,
} from '../../expression/index.ts'
import { createSourceText } from '../../query/source-text.ts'
import type { AttributeType, ComputedAttribute } from '../schema.ts'

const valueTypes: Readonly<Record<AttributeType, ValueType>> = {
  STRING: 'text',
  LONG: 'number',
  DOUBLE: 'number',
  BOOL: 'boolean',
  OBJECT: 'any',
}

export const valueTypeOf = (type: AttributeType): ValueType => valueTypes[type]

/** Whether an operation is a function of expressions, over attributes, texts in single quotes, numbers, true and false. */
const isValueFunction = (operation: string): boolean => valueFunctions.has(operation) && !ownOperations.has(operation)

/** Operations of their own that are functions of expressions as well. */
const ownOperations: ReadonlySet<string> = new Set(['UPPER', 'LOWER'])

/** Operations whose one input is the text of an expression. */
const isWritten = (operation: string): boolean => operation === 'MATH_EXP' || operation === 'FOLD'

export const hasExpression = (operation: string): boolean => isWritten(operation) || isValueFunction(operation)

const quotedText = /^'(?:[^']|'')*'$/

function operandOf(input: ComputedAttribute['inputs'][number], isCondition: boolean): Expression {
  if (typeof input === 'number') return { kind: 'number', value: input }
  if (typeof input === 'boolean') return { kind: 'boolean', value: input }
  if (isCondition || quotedText.test(input)) return parseExpression(input)
  return { kind: 'attribute', name: input }
}

/** The expression that an attribute is computed by; undefined where its operation is another. Throws a Refusal where it is broken. */
export function expressionOf({
  operation,
  inputs,
}: Pick<ComputedAttribute, 'operation' | 'inputs'>): Expression | undefined {
  if (isWritten(operation)) return parseExpression(String(inputs[0] ?? ''))
  if (!isValueFunction(operation)) return undefined
  const operands = inputs.map((input, place) => operandOf(input, operation === 'IF' && place === 0))
  if (operation === 'REGEX') checkPattern(operands[1], createSourceText(String(inputs[1] ?? '')), 0)
  return { kind: 'call', name: operation, operands }
}

const shown: Readonly<Record<ValueType, string>> = {
  number: 'a number',
  text: 'a text',
  boolean: 'true or false',
  any: '',
}

/** The problems of types in an expression, and in the type of its value: a sentence each. */
export function typeProblems(
  { name, type, operation }: Pick<ComputedAttribute, 'name' | 'type' | 'operation'>,
  expression: Expression,
  typeOfAttribute: (name: string) => ValueType,
): readonly string[] {
  const problems: string[] = []
  const gives = typeOfExpression(expression, typeOfAttribute, (problem) => problems.push(problem))
  const fits = gives === 'any' || type === 'STRING' || gives === valueTypes[type]
  if (!fits) problems.push(`${operation} gives ${shown[gives]}, and ${name} is ${type}`)
  return problems
}
