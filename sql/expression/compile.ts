import type { Comparison, Expression, Operator } from './ast.ts'
import { functions } from './functions.ts'
import { strictFunctions } from './value-functions.ts'
import { orderOf, type Value } from './values.ts'

export type GetValue = (name: string) => Value | undefined
export type CompiledExpression = (get: GetValue) => Value | undefined

/** NaN stands for a number that is missing, because arithmetic hands it on. */
type NumberTerm = (get: GetValue) => number

const operators: Readonly<Record<Operator, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
}

const comparisons: Readonly<Record<Comparison, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

/** An infinity inside counts as missing too, or `1 / (1 / 0)` would be 0. */
const finite = (value: number) => (Number.isFinite(value) ? value : Number.NaN)

const numberOf = (value: Value | undefined): number =>
  typeof value === 'number' ? finite(value) : typeof value === 'bigint' ? Number(value) : Number.NaN

function compileNumber(node: Expression): NumberTerm {
  switch (node.kind) {
    case 'number':
      return () => node.value
    case 'attribute':
      return (get) => numberOf(get(node.name))
    case 'negate': {
      const inner = compileNumber(node.operand)
      return (get) => -inner(get)
    }
    case 'chain': {
      const start = compileNumber(node.first)
      const steps = node.rest.map(({ operator, operand }) => ({
        apply: operators[operator],
        operand: compileNumber(operand),
      }))
      return (get) => {
        let value = start(get)
        for (const { apply, operand } of steps) value = finite(apply(value, operand(get)))
        return value
      }
    }
    case 'call': {
      const known = functions.get(node.name)
      if (known !== undefined) {
        const inner = node.operands.map(compileNumber)
        return (get) => {
          const values = inner.map((operand) => operand(get))
          // POW(missing, 0) would be 1.
          return values.some(Number.isNaN) ? Number.NaN : finite(known.apply(values))
        }
      }
    }
  }
  const value = compileExpression(node)
  return (get) => numberOf(value(get))
}

/** As in SQL: what the missing terms could not change any more is decided. */
function compileLogic(terms: readonly Expression[], decides: boolean): CompiledExpression {
  const inner = terms.map(compileExpression)
  return (get) => {
    let isMissing = false
    for (const term of inner) {
      const value = term(get)
      if (value === decides) return decides
      if (typeof value !== 'boolean') isMissing = true
    }
    return isMissing ? undefined : !decides
  }
}

const called: Readonly<Record<string, (operands: readonly CompiledExpression[]) => CompiledExpression>> = {
  IF:
    ([condition, yes, no]) =>
    (get) => {
      const holds = condition?.(get)
      if (holds === true) return yes?.(get)
      return holds === false ? no?.(get) : undefined
    },
  COALESCE: (operands) => (get) => {
    for (const operand of operands) {
      const value = operand(get)
      if (value !== undefined) return value
    }
    return undefined
  },
}

function compileCall(name: string, operands: readonly Expression[]): CompiledExpression {
  const inner = operands.map(compileExpression)
  const choice = called[name]
  if (choice) return choice(inner)
  const known = strictFunctions.get(name)
  if (known === undefined) throw new Error(`no function ${name}`)
  const apply = 'prepare' in known ? known.prepare(operands) : known.apply
  return (get) => {
    const values: Value[] = []
    for (const operand of inner) {
      const value = operand(get)
      if (value === undefined) return undefined
      values.push(value)
    }
    return apply(values)
  }
}

/**
 * The result is undefined where an attribute is missing that it needs, or any step has no finite value; `%` takes the
 * dividend's sign. Numbers are reckoned in doubles; a value that is only chosen or compared keeps all its digits.
 */
export function compileExpression(node: Expression): CompiledExpression {
  switch (node.kind) {
    case 'text':
    case 'boolean':
      return () => node.value
    case 'attribute':
      return (get) => get(node.name)
    case 'not': {
      const inner = compileExpression(node.operand)
      return (get) => {
        const value = inner(get)
        return typeof value === 'boolean' ? !value : undefined
      }
    }
    case 'compare': {
      const [left, right, holds] = [
        compileExpression(node.left),
        compileExpression(node.right),
        comparisons[node.operator],
      ]
      return (get) => {
        const [a, b] = [left(get), right(get)]
        const order = a === undefined || b === undefined ? Number.NaN : orderOf(a, b)
        return Number.isNaN(order) ? undefined : holds(order)
      }
    }
    case 'and':
      return compileLogic(node.terms, false)
    case 'or':
      return compileLogic(node.terms, true)
    case 'call':
      if (!functions.has(node.name)) return compileCall(node.name, node.operands)
  }
  const term = compileNumber(node)
  return (get) => {
    const value = term(get)
    return Number.isNaN(value) ? undefined : value
  }
}
