import { tau } from './passes.ts'
import { type Smo, upperBound } from './state.ts'

/** Moves variables i and j to the minimum along y'a constant, clipped to their box (Platt 1998; Chang and Lin 2011, section 4.1.1). */
export function movePair(state: Smo, i: number, j: number, coupling: number): void {
  const { alpha, gradient, y } = state
  const diagonals = (state.q.diagonal[i] ?? 0) + (state.q.diagonal[j] ?? 0)
  if (y[i] === y[j]) {
    const curvature = diagonals - 2 * coupling
    const delta = ((gradient[i] ?? 0) - (gradient[j] ?? 0)) / (curvature > 0 ? curvature : tau)
    moveWithSum(state, i, j, (alpha[i] ?? 0) - delta, (alpha[j] ?? 0) + delta)
  } else {
    const curvature = diagonals + 2 * coupling
    const delta = (-(gradient[i] ?? 0) - (gradient[j] ?? 0)) / (curvature > 0 ? curvature : tau)
    moveWithDifference(state, i, j, (alpha[i] ?? 0) + delta, (alpha[j] ?? 0) + delta)
  }
}

function moveWithSum(state: Smo, i: number, j: number, wishedI: number, wishedJ: number): void {
  const { alpha } = state
  const sum = (alpha[i] ?? 0) + (alpha[j] ?? 0)
  const ceilingI = upperBound(state, i)
  const ceilingJ = upperBound(state, j)
  let a = wishedI
  let b = wishedJ
  if (sum > ceilingI) {
    if (a > ceilingI) [a, b] = [ceilingI, sum - ceilingI]
  } else if (b < 0) [a, b] = [sum, 0]
  if (sum > ceilingJ) {
    if (b > ceilingJ) [a, b] = [sum - ceilingJ, ceilingJ]
  } else if (a < 0) [a, b] = [0, sum]
  alpha[i] = a
  alpha[j] = b
}

function moveWithDifference(state: Smo, i: number, j: number, wishedI: number, wishedJ: number): void {
  const { alpha } = state
  const difference = (alpha[i] ?? 0) - (alpha[j] ?? 0)
  const ceilingI = upperBound(state, i)
  const ceilingJ = upperBound(state, j)
  let a = wishedI
  let b = wishedJ
  if (difference > 0) {
    if (b < 0) [a, b] = [difference, 0]
  } else if (a < 0) [a, b] = [0, -difference]
  if (difference > ceilingI - ceilingJ) {
    if (a > ceilingI) [a, b] = [ceilingI, ceilingI - difference]
  } else if (b > ceilingJ) [a, b] = [ceilingJ + difference, ceilingJ]
  alpha[i] = a
  alpha[j] = b
}
