import type { Expression, Operator } from './ast.ts'
import { functions } from './functions.ts'

export type GetNumber = (name: string) => number | undefined
export type CompiledExpression = (get: GetNumber) => number | undefined

/** NaN stands for missing inside, because arithmetic hands it on. */
type Term = (get: GetNumber) => number

const operators: Readonly<Record<Operator, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
}

/** An infinity inside counts as missing too, or `1 / (1 / 0)` would be 0. */
const finite = (value: number) => (Number.isFinite(value) ? value : Number.NaN)

const compilers: { readonly [Kind in Expression['kind']]: (node: Extract<Expression, { kind: Kind }>) => Term } = {
  number:
    ({ value }) =>
    () =>
      value,
  attribute:
    ({ name }) =>
    (get) =>
      finite(get(name) ?? Number.NaN),
  negate: ({ operand }) => {
    const inner = compile(operand)
    return (get) => -inner(get)
  },
  chain: ({ first, rest }) => {
    const start = compile(first)
    const steps = rest.map(({ operator, operand }) => ({ apply: operators[operator], operand: compile(operand) }))
    return (get) => {
      let value = start(get)
      for (const { apply, operand } of steps) value = finite(apply(value, operand(get)))
      return value
    }
  },
  call: ({ name, operands }) => {
    const known = functions.get(name)
    if (known === undefined) throw new Error(`no function ${name}`)
    const inner = operands.map(compile)
    return (get) => {
      const values = inner.map((operand) => operand(get))
      // POW(missing, 0) would be 1.
      return values.some(Number.isNaN) ? Number.NaN : finite(known.apply(values))
    }
  },
}

const compile = <Node extends Expression>(node: Node): Term => {
  const compiler = compilers[node.kind] as (node: Expression) => Term
  return compiler(node)
}

/** The result is undefined where an attribute is missing or any step has no finite value; `%` takes the dividend's sign. */
export function compileExpression(expression: Expression): CompiledExpression {
  const term = compile(expression)
  return (get) => {
    const value = term(get)
    return Number.isNaN(value) ? undefined : value
  }
}
