import { numberOf, type Parameters } from '../../parameters.ts'
import { kernels } from './parameters.ts'

export type Kernel = { readonly type: number; readonly gamma: number; readonly coef0: number; readonly degree: number }

export function kernelFrom(parameters: Parameters, columns: number): Kernel {
  return {
    type: numberOf(parameters, 'kernel_type'),
    gamma: numberOf(parameters, 'gamma', 1 / Math.max(columns, 1)),
    coef0: numberOf(parameters, 'coef0'),
    degree: numberOf(parameters, 'degree'),
  }
}

/** K(a, b) as LIBSVM defines it, of two rows of `columns` cells that begin at the offsets. */
export function kernelValue(
  { type, gamma, coef0, degree }: Kernel,
  columns: number,
  a: Float64Array,
  aStart: number,
  b: Float64Array,
  bStart: number,
): number {
  let sum = 0
  if (type === kernels.RBF) {
    for (let j = 0; j < columns; j++) sum += ((a[aStart + j] ?? 0) - (b[bStart + j] ?? 0)) ** 2
    return Math.exp(-gamma * sum)
  }
  for (let j = 0; j < columns; j++) sum += (a[aStart + j] ?? 0) * (b[bStart + j] ?? 0)
  const affine = gamma * sum + coef0
  return type === kernels.POLY ? affine ** degree : Math.tanh(affine)
}
