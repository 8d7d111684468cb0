import { type KernelSettings, kernelType } from '../settings.ts'

/** Turns dot products into kernel values, in place; `square` is x . x, `squares` those of the other rows. */
export type KernelFunction = (
  dots: Float64Array,
  count: number,
  square: number,
  squares: Float64Array,
  from: number,
) => void

export function createKernelFunction({ kernel, gamma, coef0, degree }: KernelSettings): KernelFunction {
  switch (kernel) {
    case kernelType.linear:
      return () => {}
    case kernelType.poly:
      return (dots, count) => polynomial(dots, count, gamma, coef0, degree)
    case kernelType.rbf:
      return (dots, count, square, squares, from) => radial(dots, count, square, squares, from, gamma)
    case kernelType.sigmoid:
      return (dots, count) => sigmoid(dots, count, gamma, coef0)
  }
}

function radial(
  dots: Float64Array,
  count: number,
  square: number,
  squares: Float64Array,
  from: number,
  gamma: number,
): void {
  for (let t = 0; t < count; t++) {
    dots[t] = -gamma * (square + (squares[from + t] ?? 0) - 2 * (dots[t] ?? 0))
  }
  exponentiate(dots, count)
}

function polynomial(dots: Float64Array, count: number, gamma: number, coef0: number, degree: number): void {
  for (let t = 0; t < count; t++) dots[t] = power(gamma * (dots[t] ?? 0) + coef0, degree)
}

function sigmoid(dots: Float64Array, count: number, gamma: number, coef0: number): void {
  for (let t = 0; t < count; t++) dots[t] = Math.tanh(gamma * (dots[t] ?? 0) + coef0)
}

/** By squaring, as LIBSVM does, so that the last bits agree too. */
function power(base: number, exponent: number): number {
  let result = 1
  let square = base
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result *= square
    square *= square
  }
  return result
}

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
function exponentiate(values: Float64Array, count: number): void {
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
