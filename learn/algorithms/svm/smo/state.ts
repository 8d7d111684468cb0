import type { QuadraticMatrix } from '../rows/quadratic-matrix.ts'

/** Sides on which a variable may still move: `up` raises y*alpha, `low` lowers it; a free variable has both. */
export const up = 1
export const low = 2
export const free = 3

/**
 * The dual problem min 1/2 a'Qa + p'a, y'a constant, 0 <= a <= C, and where its solution stands.
 * Variables 0..active are optimised, the others are set aside (shrunk); `order` says which one stands where.
 */
export type Smo = {
  readonly length: number
  readonly q: QuadraticMatrix
  readonly y: Float64Array
  readonly linear: Float64Array
  readonly alpha: Float64Array
  readonly gradient: Float64Array
  /** The part of the gradient that comes from variables at their upper bound. */
  readonly boundGradient: Float64Array
  readonly sides: Uint8Array
  readonly order: Int32Array
  readonly upperPositive: number
  readonly upperNegative: number
  readonly tolerance: number
  active: number
  /** Set once when the gap first falls under ten tolerances: all variables were looked at again. */
  unshrunk: boolean
}

export type DualProblem = {
  readonly q: QuadraticMatrix
  readonly y: Float64Array
  readonly linear: Float64Array
  readonly alpha: Float64Array
  readonly upperPositive: number
  readonly upperNegative: number
  readonly tolerance: number
}

export function createSmo(problem: DualProblem): Smo {
  const length = problem.y.length
  const state: Smo = {
    ...problem,
    length,
    gradient: Float64Array.from(problem.linear),
    boundGradient: new Float64Array(length),
    sides: new Uint8Array(length),
    order: Int32Array.from({ length }, (_, i) => i),
    active: length,
    unshrunk: false,
  }
  for (let i = 0; i < length; i++) updateSides(state, i)
  return state
}

export function upperBound(state: Smo, i: number): number {
  return (state.y[i] ?? 0) > 0 ? state.upperPositive : state.upperNegative
}

export function updateSides(state: Smo, i: number): void {
  const alpha = state.alpha[i] ?? 0
  const positive = (state.y[i] ?? 0) > 0
  if (alpha >= upperBound(state, i)) state.sides[i] = positive ? low : up
  else if (alpha <= 0) state.sides[i] = positive ? up : low
  else state.sides[i] = free
}

export function isAtUpperBound(state: Smo, i: number): boolean {
  return state.sides[i] === ((state.y[i] ?? 0) > 0 ? low : up)
}
