import type { Histogram, Layout } from './histogram.ts'

export type Split = {
  readonly gain: number
  readonly column: number
  /** Bins up to this one go left. */
  readonly bin: number
  /** The bin of missing values, and whether they go left. */
  readonly missing: number
  readonly missingLeft: boolean
}

export type Totals = { readonly gradient: number; readonly curvature: number; readonly count: number }
export type SplitRules = { readonly minLeaf: number; readonly lambda: number }

/** A child must bend the loss at least this much. */
const LEAST_CURVATURE = 1e-3
/** A smaller gain is rounding. */
const LEAST_GAIN = 1e-9

/**
 * The split that lowers the second-order model of the loss most: Chen and Guestrin, KDD 2016, equation 7, with their
 * sparsity-aware choice of the side of missing values. Undefined where none gains.
 */
export function findSplit(
  histogram: Histogram,
  { starts }: Layout,
  totals: Totals,
  rules: SplitRules,
): Split | undefined {
  let best: Split | undefined
  for (let column = 0; column + 1 < starts.length; column++) {
    const first = starts[column] ?? 0
    const missing = (starts[column + 1] ?? 0) - 1
    const absent = totalsAt(histogram, missing)
    for (const missingLeft of absent.count > 0 ? [false, true] : [false]) {
      // With missing values on the right, the last bin too is a split: known or not.
      const last = absent.count > 0 && !missingLeft ? missing : missing - 1
      let { gradient, curvature, count } = missingLeft ? absent : nothing
      for (let bin = first; bin < last; bin++) {
        const cell = 3 * bin
        gradient += histogram[cell] ?? 0
        curvature += histogram[cell + 1] ?? 0
        count += histogram[cell + 2] ?? 0
        if (count < rules.minLeaf || curvature < LEAST_CURVATURE) continue
        if (totals.count - count < rules.minLeaf || totals.curvature - curvature < LEAST_CURVATURE) break
        const gain =
          scoreOf(gradient, curvature, rules) +
          scoreOf(totals.gradient - gradient, totals.curvature - curvature, rules) -
          scoreOf(totals.gradient, totals.curvature, rules)
        if (gain <= (best?.gain ?? LEAST_GAIN)) continue
        // Where training saw none missing, a missing value takes the way of most rows.
        const side = absent.count > 0 ? missingLeft : count * 2 > totals.count
        best = { gain, column, bin: bin - first, missing: missing - first, missingLeft: side }
      }
    }
  }
  return best
}

const nothing: Totals = { gradient: 0, curvature: 0, count: 0 }

function totalsAt(histogram: Histogram, bin: number): Totals {
  const cell = 3 * bin
  return { gradient: histogram[cell] ?? 0, curvature: histogram[cell + 1] ?? 0, count: histogram[cell + 2] ?? 0 }
}

function scoreOf(gradient: number, curvature: number, { lambda }: SplitRules): number {
  return (gradient * gradient) / (curvature + lambda)
}
