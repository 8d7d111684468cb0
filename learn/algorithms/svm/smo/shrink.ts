import { swap } from '../rows/swap.ts'
import { reconstructGradient } from './gradient.ts'
import { low, up } from './passes.ts'
import { arrange, type Smo } from './state.ts'

/** Highest ascent of the variables that may go up, highest descent of those that may go down; of one sign of y, or of both (0). */
export type Extremes = { readonly ascent: number; readonly descent: number }

function extremes({ y, gradient, sides, active }: Smo, sign: 1 | -1 | 0): Extremes {
  let ascent = -Infinity
  let descent = -Infinity
  for (let t = 0; t < active; t++) {
    const sideOf = y[t] ?? 0
    if (sideOf === -sign) continue
    const slope = sideOf * (gradient[t] ?? 0)
    const side = sides[t] ?? 0
    if ((side & up) !== 0 && -slope > ascent) ascent = -slope
    if ((side & low) !== 0 && slope > descent) descent = slope
  }
  return { ascent, descent }
}

/**
 * Sets aside variables at a bound that will most likely stay there (Joachims 1998, by LIBSVM's rule).
 * `nu` problems keep one equality a sign of y, so each sign has its own extremes.
 */
export function shrink(state: Smo, nu: boolean, beat: () => void): void {
  const positive = extremes(state, nu ? 1 : 0)
  const negative = nu ? extremes(state, -1) : positive
  const gap = Math.max(positive.ascent + positive.descent, negative.ascent + negative.descent)
  if (!state.unshrunk && gap <= state.tolerance * 10) {
    state.unshrunk = true
    reconstructGradient(state, beat)
    state.active = state.length
  }
  const idle = (t: number): boolean => {
    const sideOf = state.y[t] ?? 0
    const bounds = sideOf > 0 ? positive : negative
    const slope = sideOf * (state.gradient[t] ?? 0)
    const side = state.sides[t] ?? 0
    if (side === low) return -slope > bounds.ascent
    return side === up && slope > bounds.descent
  }
  const exchanged: number[] = []
  for (let i = 0; i < state.active; i++) {
    if (!idle(i)) continue
    state.active--
    while (state.active > i && idle(state.active)) state.active--
    if (state.active > i) {
      exchanged.push(i, state.active)
      exchange(state, i, state.active)
    }
  }
  state.q.exchange(exchanged)
  arrange(state)
}

function exchange(state: Smo, i: number, j: number): void {
  swap(state.y, i, j)
  swap(state.linear, i, j)
  swap(state.alpha, i, j)
  swap(state.gradient, i, j)
  swap(state.boundGradient, i, j)
  swap(state.sides, i, j)
  swap(state.order, i, j)
}
