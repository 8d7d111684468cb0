/** The value of a statistic RSTAT, as queries answer it. */
export type Moments = {
  readonly cnt: number
  readonly sum: number
  readonly min: number
  readonly max: number
  readonly avg: number
  readonly stdd: number
  readonly skew: number
  readonly kurt: number
}

/**
 * Statistics in one pass, by updates of the mean and of the central moments (Pébay, "Formulas for robust, one-pass
 * parallel computation of covariances and arbitrary-order statistical moments", 2008): another way than the service's.
 */
export function createMoments() {
  let [n, sum, mean, m2, m3, m4] = [0, 0, 0, 0, 0, 0]
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]

  return {
    add(value: number): void {
      const before = n++
      const delta = value - mean
      const step = delta / n
      const term = delta * step * before
      sum += value
      mean += step
      m4 += term * step * step * (n * n - 3 * n + 3) + 6 * step * step * m2 - 4 * step * m3
      m3 += term * step * (n - 2) - 3 * step * m2
      m2 += term
      min = Math.min(min, value)
      max = Math.max(max, value)
    },
    /** Sample deviation, adjusted Fisher-Pearson skewness and sample excess kurtosis; at least four values that differ. */
    value(): Moments {
      const skew = ((Math.sqrt(n * (n - 1)) / (n - 2)) * (m3 / n)) / (m2 / n) ** 1.5
      const kurt = ((n - 1) / ((n - 2) * (n - 3))) * ((n + 1) * ((n * m4) / (m2 * m2) - 3) + 6)
      return { cnt: n, sum, min, max, avg: mean, stdd: Math.sqrt(m2 / (n - 1)), skew, kurt }
    },
  }
}
