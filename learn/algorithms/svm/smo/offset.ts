import { low, type Smo, up } from './state.ts'

/** The threshold of the decision: mean slope of the free variables of one sign of y (0: both), or the middle between the bounded ones. */
export function threshold({ y, gradient, sides, active }: Smo, sign: 1 | -1 | 0): number {
  let upper = Infinity
  let lower = -Infinity
  let count = 0
  let sum = 0
  for (let t = 0; t < active; t++) {
    const sideOf = y[t] ?? 0
    if (sideOf === -sign) continue
    const slope = sideOf * (gradient[t] ?? 0)
    if (sides[t] === up) upper = Math.min(upper, slope)
    else if (sides[t] === low) lower = Math.max(lower, slope)
    else {
      count++
      sum += slope
    }
  }
  return count > 0 ? sum / count : (upper + lower) / 2
}
