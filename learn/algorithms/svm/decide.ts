import { type Features, isSparse } from '../../dataset.ts'
import { classPairs } from './class-groups.ts'
import type { FittedSvm } from './fitted-svm.ts'
import { squaresOf } from './rows/cells.ts'
import { createVectors } from './rows/create-vectors.ts'
import { createKernelFunction } from './rows/kernel-function.ts'
import { movedBy, originFor } from './rows/near-origin.ts'
import { kernelType } from './settings.ts'

/** The sums over the support vectors less the thresholds, `[rows, pairs]` row-major (one column without classes). */
export function decide(fitted: FittedSvm, features: Features): Float64Array {
  const isOfDistances = fitted.kernel.kernel === kernelType.rbf && !isSparse(features)
  const origin = isOfDistances ? originFor(fitted.supportVectors) : undefined
  const rows = movedBy(features, origin)
  const vectors = createVectors(movedBy(fitted.supportVectors, origin))
  const kernel = createKernelFunction(fitted.kernel)
  const plan = sumsOf(fitted)
  const squares = squaresOf(rows)
  const decisions = new Float64Array(features.rows * plan.length)
  for (let row = 0; row < features.rows; row++) {
    const values = vectors.dotsWith(rows, row)
    kernel(values, vectors.length, squares[row] ?? 0, vectors.squares, 0)
    for (const [pair, { parts, rho }] of plan.entries()) {
      let sum = 0
      for (const { from, to, at } of parts) sum += weightedSum(values, fitted.coefficients, from, to, at)
      decisions[row * plan.length + pair] = sum - rho
    }
  }
  return decisions
}

type Part = { readonly from: number; readonly to: number; readonly at: number }

/** Which support vectors each pair sums, and where their coefficients begin. */
export function sumsOf(fitted: FittedSvm): readonly { readonly parts: readonly Part[]; readonly rho: number }[] {
  const count = fitted.supportVectors.rows
  const rho = (pair: number) => fitted.rho[pair] ?? 0
  if (fitted.labels.length === 0) return [{ parts: [{ from: 0, to: count, at: 0 }], rho: rho(0) }]
  const starts = [0]
  for (const vectors of fitted.supportCounts) starts.push((starts.at(-1) ?? 0) + vectors)
  const part = (group: number, row: number): Part => {
    const from = starts[group] ?? 0
    return { from, to: starts[group + 1] ?? 0, at: row * count + from }
  }
  return classPairs(fitted.labels.length).map(([i, j], pair) => ({
    parts: [part(i, j - 1), part(j, i)],
    rho: rho(pair),
  }))
}

function weightedSum(values: Float64Array, weights: Float64Array, from: number, to: number, at: number): number {
  let sum = 0
  let weight = at
  for (let i = from; i < to; i++) sum += (values[i] ?? 0) * (weights[weight++] ?? 0)
  return sum
}
