import { type Choice, low, tau, up } from './passes.ts'
import type { Smo } from './state.ts'

type Best = { positive: number; negative: number }

/** As choosePair, for problems with two equality constraints: both variables have the same sign of y. */
export function choosePairNu(state: Smo, choice: Choice): void {
  const { y, gradient, sides, active, q } = state
  const first: Best = { positive: -1, negative: -1 }
  const ascent: Best = { positive: -Infinity, negative: -Infinity }
  const descent: Best = { positive: -Infinity, negative: -Infinity }
  for (let t = 0; t < active; t++) {
    const sign = (y[t] ?? 0) > 0 ? 'positive' : 'negative'
    const slope = (y[t] ?? 0) * (gradient[t] ?? 0)
    const side = sides[t] ?? 0
    if ((side & low) !== 0 && slope > descent[sign]) descent[sign] = slope
    if ((side & up) === 0 || -slope < ascent[sign]) continue
    ascent[sign] = -slope
    first[sign] = t
  }
  choice.gap = Math.max(ascent.positive + descent.positive, ascent.negative + descent.negative)
  choice.first = -1
  choice.second = -1
  if (choice.gap < state.tolerance) return
  const rows = {
    positive: first.positive === -1 ? undefined : q.row(first.positive, active),
    negative: first.negative === -1 ? undefined : q.row(first.negative, active),
  }
  let best = Infinity
  for (let t = 0; t < active; t++) {
    if (((sides[t] ?? 0) & low) === 0) continue
    const sign = (y[t] ?? 0) > 0 ? 'positive' : 'negative'
    const row = rows[sign]
    const difference = ascent[sign] + (y[t] ?? 0) * (gradient[t] ?? 0)
    if (row === undefined || difference <= 0) continue
    const curvature = (q.diagonal[first[sign]] ?? 0) + (q.diagonal[t] ?? 0) - 2 * (row[t] ?? 0)
    const change = -(difference * difference) / (curvature > 0 ? curvature : tau)
    if (change > best) continue
    best = change
    choice.first = first[sign]
    choice.second = t
    choice.coupling = row[t] ?? 0
  }
}
