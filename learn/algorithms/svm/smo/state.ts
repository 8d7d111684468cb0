import type { QuadraticMatrix } from '../rows/quadratic-matrix.ts'
import { createPasses, free, low, type Passes, up } from './passes.ts'

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
  readonly passes: Passes
  /** The one that `passes` change. */
  readonly gradient: Float64Array
  /** The part of the gradient that comes from variables at their upper bound. */
  readonly boundGradient: Float64Array
  readonly sides: Uint8Array
  readonly order: Int32Array
  readonly upperPositive: number
  readonly upperNegative: number
  readonly tolerance: number
  active: number
  /** The variable of the steepest ascent, where the last step has found it. */
  steepest: number | undefined
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
  const passes = createPasses(length)
  passes.gradient.set(problem.linear)
  const state: Smo = {
    ...problem,
    length,
    passes,
    gradient: passes.gradient,
    boundGradient: new Float64Array(length),
    sides: new Uint8Array(length),
    order: Int32Array.from({ length }, (_, i) => i),
    active: length,
    steepest: undefined,
    unshrunk: false,
  }
  for (let i = 0; i < length; i++) updateSides(state, i)
  arrange(state)
  return state
}

/** Variables changed places, or another number of them is active. */
export function arrange(state: Smo): void {
  const { y, sides, active, q } = state
  state.passes.arrange({ y, diagonal: q.diagonal, sides, active })
  state.steepest = undefined
}

/** No variable is set aside any more. */
export function activateAll(state: Smo): void {
  state.active = state.length
  arrange(state)
}

export function upperBound(state: Smo, i: number): number {
  return (state.y[i] ?? 0) > 0 ? state.upperPositive : state.upperNegative
}

export function updateSides(state: Smo, i: number): void {
  const alpha = state.alpha[i] ?? 0
  const positive = (state.y[i] ?? 0) > 0
  const side = alpha >= upperBound(state, i) ? (positive ? low : up) : alpha > 0 ? free : positive ? up : low
  state.sides[i] = side
  state.passes.turn(i, side)
}

export function isAtUpperBound(state: Smo, i: number): boolean {
  return state.sides[i] === ((state.y[i] ?? 0) > 0 ? low : up)
}
