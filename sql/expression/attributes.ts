import type { Expression } from './ast.ts'

export const childrenOf = (node: Expression): readonly Expression[] => {
  switch (node.kind) {
    case 'number':
    case 'text':
    case 'boolean':
    case 'attribute':
      return []
    case 'negate':
    case 'not':
      return [node.operand]
    case 'compare':
      return [node.left, node.right]
    case 'and':
    case 'or':
      return node.terms
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

/** How many values, attributes, signs, functions and sums an expression has. */
export const sizeOf = (expression: Expression): number =>
  childrenOf(expression).reduce((size, child) => size + sizeOf(child), 1)
