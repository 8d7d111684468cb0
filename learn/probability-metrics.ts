/** `shares[i * labels + j]`: how probable it is that row i has label j. */
export type Shares = { readonly labels: number; readonly values: ArrayLike<number> }

export type ProbabilityMetrics = {
  /** The area under the ROC curve; of more than two classes the mean of each class against the rest. Absent where no class has rows on both sides. */
  readonly auc?: number
  readonly log_loss: number
  readonly brier: number
}

/** A probability of 0 of what came true would cost infinitely much; this is the step of a double at 1. */
const leastProbability = 2 ** -52

/**
 * Measures shares by the labels `truth`. The Brier score of two classes is that of either one; of more classes it is the sum
 * over all.
 */
export function probabilityMetrics(truth: ArrayLike<number>, shares: Shares): ProbabilityMetrics {
  const { labels, values } = shares
  const rows = truth.length
  let loss = 0
  let squares = 0
  for (let row = 0; row < rows; row += 1) {
    const own = truth[row] ?? -1
    const share = values[row * labels + own] ?? 0
    loss -= Math.log(Math.min(Math.max(share, leastProbability), 1))
    for (let label = 0; label < labels; label += 1) {
      squares += ((values[row * labels + label] ?? 0) - (label === own ? 1 : 0)) ** 2
    }
  }
  const areas = (labels === 2 ? [0] : Array.from({ length: labels }, (_, label) => label)).flatMap((label) => {
    const area = areaUnderCurve(
      Float64Array.from({ length: rows }, (_, row) => values[row * labels + label] ?? 0),
      (row) => truth[row] === label,
    )
    return area === undefined ? [] : [area]
  })
  return {
    ...(areas.length === 0 ? {} : { auc: areas.reduce((sum, area) => sum + area, 0) / areas.length }),
    log_loss: loss / rows,
    brier: squares / rows / (labels === 2 ? 2 : 1),
  }
}

/** By ranks (Mann and Whitney): how often a positive row has the greater score than a negative one, equal ones counted half. */
export function areaUnderCurve(scores: Float64Array, isPositive: (row: number) => boolean): number | undefined {
  const order = Int32Array.from(scores.keys()).sort((a, b) => (scores[a] ?? 0) - (scores[b] ?? 0))
  let positives = 0
  let ranks = 0
  for (let from = 0; from < order.length; ) {
    let to = from
    let found = 0
    while (to < order.length && scores[order[to] ?? 0] === scores[order[from] ?? 0]) {
      if (isPositive(order[to] ?? 0)) found += 1
      to += 1
    }
    if (to === from) return undefined
    positives += found
    ranks += (found * (from + 1 + to)) / 2
    from = to
  }
  const negatives = scores.length - positives
  if (positives === 0 || negatives === 0) return undefined
  return (ranks - (positives * (positives + 1)) / 2) / (positives * negatives)
}
