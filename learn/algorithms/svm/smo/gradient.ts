import { free } from './passes.ts'
import { isAtUpperBound, type Smo, upperBound } from './state.ts'

function addRow(sums: Float64Array, row: Float32Array, factor: number, from: number, to: number): void {
  for (let k = from; k < to; k++) sums[k] = (sums[k] ?? 0) + factor * (row[k] ?? 0)
}

function freeProduct(row: Float32Array, alpha: Float64Array, sides: Uint8Array, length: number): number {
  let sum = 0
  for (let k = 0; k < length; k++) if (sides[k] === free) sum += (alpha[k] ?? 0) * (row[k] ?? 0)
  return sum
}

/** The gradient of a start that is not all zero. */
export function startGradient(state: Smo, beat: () => void): void {
  for (let i = 0; i < state.length; i++) {
    const alpha = state.alpha[i] ?? 0
    if (alpha <= 0) continue
    beat()
    const row = state.q.row(i, state.length)
    addRow(state.gradient, row, alpha, 0, state.length)
    if (isAtUpperBound(state, i)) addRow(state.boundGradient, row, upperBound(state, i), 0, state.length)
  }
}

/** Keeps `boundGradient` after variable i came to its upper bound (factor 1) or left it (-1). */
export function moveBound(state: Smo, i: number, factor: 1 | -1): void {
  addRow(state.boundGradient, state.q.row(i, state.length), factor * upperBound(state, i), 0, state.length)
}

/** Computes the gradient of the variables set aside, by whichever side needs fewer kernel values. */
export function reconstructGradient(state: Smo, beat: () => void): void {
  const { length, active, gradient, boundGradient, linear, alpha, sides } = state
  if (active === length) return
  for (let j = active; j < length; j++) gradient[j] = (boundGradient[j] ?? 0) + (linear[j] ?? 0)
  let frees = 0
  for (let i = 0; i < active; i++) if (sides[i] === free) frees++
  if (frees * length > 2 * active * (length - active)) {
    for (let i = active; i < length; i++) {
      beat()
      gradient[i] = (gradient[i] ?? 0) + freeProduct(state.q.row(i, active), alpha, sides, active)
    }
    return
  }
  for (let i = 0; i < active; i++) {
    if (sides[i] !== free) continue
    beat()
    addRow(gradient, state.q.row(i, length), alpha[i] ?? 0, active, length)
  }
}
