import type { Expression } from './ast.ts'

const childrenOf = (node: Expression): readonly Expression[] => {
  switch (node.kind) {
    case 'number':
    case 'attribute':
      return []
    case 'negate':
      return [node.operand]
    case 'call':
      return node.operands
    case 'chain':
      return [node.first, ...node.rest.map(({ operand }) => operand)]
  }
}

const everyName = (node: Expression): readonly string[] =>
  node.kind === 'attribute' ? [node.name] : childrenOf(node).flatMap(everyName)

/** The attributes that an expression reads, each once, in the order of the text. */
export const attributesOf = (expression: Expression): readonly string[] => [...new Set(everyName(expression))]

/** How many numbers, attributes, signs, functions and sums an expression has. */
export const sizeOf = (expression: Expression): number =>
  childrenOf(expression).reduce((size, child) => size + sizeOf(child), 1)
