export type MathFunction = {
  /** The least and the greatest number of operands. */
  readonly arity: readonly [number, number]
  readonly apply: (operands: readonly number[]) => number
}

const unary = (apply: (x: number) => number): MathFunction => ({
  arity: [1, 1],
  apply: ([x = Number.NaN]) => apply(x),
})

const fold = (combine: (left: number, right: number) => number): MathFunction => ({
  arity: [1, Number.POSITIVE_INFINITY],
  apply: (operands) => operands.reduce((left, right) => combine(left, right)),
})

/** Half away from zero, as in SQL; `Math.round(-2.5)` is -2. */
const round = (x: number) => Math.sign(x) * Math.round(Math.abs(x))

export const functions: ReadonlyMap<string, MathFunction> = new Map([
  ['ABS', unary(Math.abs)],
  ['SQRT', unary(Math.sqrt)],
  ['POW', { arity: [2, 2], apply: ([base = Number.NaN, exponent = Number.NaN]) => base ** exponent }],
  ['EXP', unary(Math.exp)],
  ['LN', unary(Math.log)],
  ['LOG2', unary(Math.log2)],
  ['LOG10', unary(Math.log10)],
  ['FLOOR', unary(Math.floor)],
  ['CEIL', unary(Math.ceil)],
  ['ROUND', unary(round)],
  ['MIN', fold(Math.min)],
  ['MAX', fold(Math.max)],
])
