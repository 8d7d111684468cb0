/** Statistics in one pass over the values, with nothing of the product: what the service has to agree with. */

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

export const noMoments: Moments = { cnt: 0, sum: 0, min: 0, max: 0, avg: 0, stdd: 0, skew: 0, kurt: 0 }

/** A sum that carries what it rounds off (Neumaier). */
function createSum() {
  let sum = 0
  let lost = 0
  return {
    add(x: number) {
      const next = sum + x
      lost += Math.abs(sum) >= Math.abs(x) ? sum - next + x : x - next + sum
      sum = next
    },
    value: () => sum + lost,
  }
}

/**
 * Central moments updated value by value (Pébay, "Formulas for robust, one-pass parallel computation of covariances and
 * arbitrary-order statistical moments", 2008); sample deviation, G1 and G2.
 */
export function momentsOf(values: readonly (number | bigint)[]): Moments {
  const sum = createSum()
  let [n, mean, m2, m3, m4] = [0, 0, 0, 0, 0]
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    const x = Number(value)
    sum.add(x)
    min = Math.min(min, x)
    max = Math.max(max, x)
    const before = n++
    const delta = x - mean
    const step = delta / n
    const term = delta * step * before
    mean += step
    m4 += term * step * step * (n * n - 3 * n + 3) + 6 * step * step * m2 - 4 * step * m3
    m3 += term * step * (n - 2) - 3 * step * m2
    m2 += term
  }
  if (n === 0) return noMoments
  const flat = min === max
  return {
    cnt: n,
    sum: sum.value(),
    min,
    max,
    avg: sum.value() / n,
    stdd: flat ? 0 : Math.sqrt(m2 / (n - 1)),
    skew: flat || n < 3 ? 0 : (Math.sqrt(n * (n - 1)) / (n - 2)) * (m3 / n / (m2 / n) ** 1.5),
    kurt: flat || n < 4 ? 0 : ((n - 1) / ((n - 2) * (n - 3))) * ((n + 1) * ((n * m4) / (m2 * m2) - 3) + 6),
  }
}

/**
 * How `got` differs from the moments of the values, undefined where it does not. Allowed are relative 1e-9, for the k-th
 * moment 1e-13 x (range / deviation)^k more, and 1e-6 where values share a large offset. The range is that of the
 * stream: its `first` value is part of it.
 */
export function differenceOf(
  got: Moments,
  values: readonly (number | bigint)[],
  { relative = 1e-9, first }: { readonly relative?: number; readonly first?: number | undefined } = {},
): string | undefined {
  const expected = momentsOf(values)
  const size = values.reduce<number>((sum, value) => sum + Math.abs(Number(value)) + Math.abs(first ?? 0), 0)
  const range = Math.max(expected.max, first ?? expected.max) - Math.min(expected.min, first ?? expected.min)
  const spread = expected.stdd === 0 ? 0 : range / expected.stdd
  const allowed: Readonly<Record<keyof Moments, number>> = {
    cnt: 0,
    min: 0,
    max: 0,
    sum: relative * Math.abs(expected.sum) + 1e-13 * size,
    avg: relative * Math.abs(expected.avg) + (1e-13 * size) / Math.max(1, values.length),
    stdd: (relative + 1e-13 * spread ** 2) * expected.stdd,
    skew: (relative + 1e-13 * spread ** 3) * Math.max(1, Math.abs(expected.skew)),
    kurt: (relative + 1e-13 * spread ** 4) * Math.max(1, Math.abs(expected.kurt)),
  }
  for (const name of Object.keys(expected) as (keyof Moments)[]) {
    const [is, wanted] = [got[name], expected[name]]
    if (typeof is !== 'number' || !(Math.abs(is - wanted) <= allowed[name])) {
      return `${name} is ${is}, expected ${wanted} (allowed difference ${allowed[name]})`
    }
  }
  return undefined
}
