import { type KernelSettings, kernelType } from '../settings.ts'
import { exponentiate } from './exponential.ts'

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
