import type { Expression } from './ast.ts'
import { childrenOf } from './attributes.ts'
import { functions } from './functions.ts'
import { strictFunctions, type ValueType, valueFunctions } from './value-functions.ts'

export type { ValueType } from './value-functions.ts'

const names: Readonly<Record<ValueType, string>> = {
  number: 'a number',
  text: 'a text',
  boolean: 'true or false',
  any: 'anything',
}

/** Whether an expression has texts, conditions or functions of them, beside arithmetic. */
export const hasValues = (node: Expression): boolean =>
  node.kind === 'text' ||
  node.kind === 'boolean' ||
  node.kind === 'compare' ||
  node.kind === 'and' ||
  node.kind === 'or' ||
  node.kind === 'not' ||
  (node.kind === 'call' && valueFunctions.has(node.name)) ||
  childrenOf(node).some(hasValues)

/** The kind of value that an expression gives; says by `fail` where a part has a value that its place does not take. */
export function typeOfExpression(
  expression: Expression,
  typeOfAttribute: (name: string) => ValueType,
  fail: (problem: string) => void,
): ValueType {
  const shown = (node: Expression, type: ValueType): string => {
    if (node.kind === 'attribute') return `${node.name} is ${names[type]}`
    if (node.kind === 'text') return `'${node.value.slice(0, 40)}' is ${names[type]}`
    return node.kind === 'call' ? `${node.name} gives ${names[type]}` : `a part of it is ${names[type]}`
  }

  function expect(node: Expression, wanted: ValueType, by: string): void {
    const type = typeOf(node)
    if (wanted !== 'any' && type !== 'any' && type !== wanted)
      fail(`${by} takes ${names[wanted]}, and ${shown(node, type)}`)
  }

  function same(nodes: readonly Expression[], by: string): ValueType {
    let known: { readonly node: Expression; readonly type: ValueType } | undefined
    for (const node of nodes) {
      const type = typeOf(node)
      if (type === 'any') continue
      if (known && known.type !== type)
        fail(`${by} takes values of one type: ${shown(known.node, known.type)}, and ${shown(node, type)}`)
      known ??= { node, type }
    }
    return known?.type ?? 'any'
  }

  function typeOfCall(name: string, operands: readonly Expression[]): ValueType {
    if (functions.has(name)) {
      for (const operand of operands) expect(operand, 'number', name)
      return 'number'
    }
    if (name === 'IF') {
      const [condition, ...values] = operands
      if (condition) expect(condition, 'boolean', 'the condition of IF')
      return same(values, name)
    }
    if (name === 'COALESCE') return same(operands, name)
    const known = strictFunctions.get(name)
    for (const [place, operand] of operands.entries())
      expect(operand, known?.operands[place] ?? known?.operands.at(-1) ?? 'any', name)
    return known?.result ?? 'any'
  }

  function typeOf(node: Expression): ValueType {
    switch (node.kind) {
      case 'number':
      case 'text':
      case 'boolean':
        return node.kind
      case 'attribute':
        return typeOfAttribute(node.name)
      case 'negate':
        expect(node.operand, 'number', "'-'")
        return 'number'
      case 'chain':
        expect(node.first, 'number', `'${node.rest[0]?.operator}'`)
        for (const { operator, operand } of node.rest) expect(operand, 'number', `'${operator}'`)
        return 'number'
      case 'compare':
        same([node.left, node.right], `'${node.operator}'`)
        return 'boolean'
      case 'and':
      case 'or':
        for (const term of node.terms) expect(term, 'boolean', node.kind)
        return 'boolean'
      case 'not':
        expect(node.operand, 'boolean', 'not')
        return 'boolean'
      case 'call':
        return typeOfCall(node.name, node.operands)
    }
  }

  return typeOf(expression)
}
