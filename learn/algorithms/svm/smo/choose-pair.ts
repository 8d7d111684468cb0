import type { Smo } from './state.ts'

/** Replaces a curvature that is not positive. */
export const tau = 1e-12

/** `gap` is the violation of the optimality conditions; `first` and `second` are the two variables to move, -1 where none violates them. */
export type Choice = { first: number; second: number; gap: number }

/** Second-order working-set selection (Fan, Chen, Lin 2005, algorithm WSS 2). The last one of equals wins, as in LIBSVM. */
export function choosePair(state: Smo, choice: Choice): void {
  const { y, gradient, sides, active } = state
  const first = steepest(y, gradient, sides, active)
  choice.first = first
  choice.second = -1
  choice.gap = 0
  if (first === -1) return
  const row = state.q.row(first, active)
  const ascent = -(y[first] ?? 0) * (gradient[first] ?? 0)
  findPartner(y, gradient, sides, state.q.diagonal, row, ascent, active, choice)
  if (choice.gap < state.tolerance) choice.second = -1
}

/** By side: the number taken off a variable that may not go up, or not down. An addition where a branch would be guessed wrong half the time. */
const barredUp = Float64Array.of(Infinity, 0, Infinity, 0)
const barredDown = Float64Array.of(Infinity, Infinity, 0, 0)

function steepest(y: Float64Array, gradient: Float64Array, sides: Uint8Array, length: number): number {
  let best = -Infinity
  let at = -1
  for (let t = 0; t < length; t++) {
    const ascent = -(y[t] ?? 0) * (gradient[t] ?? 0) - (barredUp[sides[t] ?? 0] ?? 0)
    if (ascent < best) continue
    best = ascent
    at = t
  }
  return best === -Infinity ? -1 : at
}

/** The variable whose move with `choice.first` lowers the objective most, and how far the two sides are apart. */
function findPartner(
  y: Float64Array,
  gradient: Float64Array,
  sides: Uint8Array,
  diagonal: Float64Array,
  row: Float32Array,
  ascent: number,
  length: number,
  choice: Choice,
): void {
  const sign = 2 * (y[choice.first] ?? 0)
  const own = diagonal[choice.first] ?? 0
  let widest = 0
  let best = 0
  let nearBest = 0
  let at = -1
  for (let t = 0; t < length; t++) {
    const sideOf = y[t] ?? 0
    const difference = ascent + sideOf * (gradient[t] ?? 0) - (barredDown[sides[t] ?? 0] ?? 0)
    if (difference > widest) widest = difference
    const curvature = own + (diagonal[t] ?? 0) - sign * sideOf * (row[t] ?? 0)
    // A product sorts out nearly all; a pair that passes is compared by LIBSVM's quotient, whose rounding decides ties.
    if (difference * Math.abs(difference) < nearBest * curvature || difference <= 0) continue
    const gain = (difference * difference) / (curvature > 0 ? curvature : tau)
    if (gain < best) continue
    best = gain
    nearBest = gain * 0.999999999
    at = t
  }
  choice.second = at
  choice.gap = widest
}
