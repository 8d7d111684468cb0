import { type Features, type FitWatch, isSparse } from '../../dataset.ts'
import { createVectors } from './rows/create-vectors.ts'
import { createKernelFunction } from './rows/kernel-function.ts'
import { createMirroredMatrix, createSignedMatrix, type KernelParts } from './rows/quadratic-matrix.ts'
import { createRowCache } from './rows/row-cache.ts'
import { type SvmSettings, svmType } from './settings.ts'
import { type Solution, solve } from './smo/solve.ts'

/** decision(x) = sum of coefficients[i] K(row i, x) - rho; most coefficients are 0. */
export type Decision = {
  readonly coefficients: Float64Array
  readonly rho: number
  readonly iterations: number
  readonly objective: number
}

/** The weight of one class against the other: the C of either side. */
export type Costs = { readonly positive: number; readonly negative: number }

/** The first `positives` of `rows` against the others. */
export function solveTwoClasses(
  features: Features,
  rows: Int32Array,
  positives: number,
  costs: Costs,
  settings: SvmSettings,
  watch: FitWatch,
): Decision {
  const length = rows.length
  const y = Float64Array.from({ length }, (_, i) => (i < positives ? 1 : -1))
  const labels = y.slice()
  const parts = kernelParts(features, rows, settings)
  const q = createSignedMatrix(parts, y)
  const { tolerance, shrinking, nu } = settings
  if (settings.type === svmType.cSvc) {
    const linear = new Float64Array(length).fill(-1)
    const alpha = new Float64Array(length)
    const bounds = { upperPositive: costs.positive, upperNegative: costs.negative }
    const solution = solve({ q, y, linear, alpha, ...bounds, tolerance }, { shrinking, nu: false }, watch)
    return { ...solution, coefficients: solution.alpha.map((a, i) => a * (labels[i] ?? 0)) }
  }
  const alpha = startOfNu(labels, nu)
  const linear = new Float64Array(length)
  const bounds = { upperPositive: 1, upperNegative: 1 }
  const solution = solve({ q, y, linear, alpha, ...bounds, tolerance }, { shrinking, nu: true }, watch)
  const { r } = solution
  return {
    coefficients: solution.alpha.map((a, i) => (a * (labels[i] ?? 0)) / r),
    rho: solution.rho / r,
    iterations: solution.iterations,
    objective: solution.objective / (r * r),
  }
}

/** nu-SVC begins with nu * length / 2 on each side, handed out from the first row on. */
function startOfNu(labels: Float64Array, nu: number): Float64Array {
  const rest = new Map([
    [1, (nu * labels.length) / 2],
    [-1, (nu * labels.length) / 2],
  ])
  return labels.map((label) => {
    const alpha = Math.min(1, rest.get(label) ?? 0)
    rest.set(label, (rest.get(label) ?? 0) - alpha)
    return alpha
  })
}

/** The region that holds all but a share nu of the rows (Schölkopf and others 2001). */
export function solveOneClass(features: Features, rows: Int32Array, settings: SvmSettings, watch: FitWatch): Decision {
  const length = rows.length
  const full = Math.floor(settings.nu * length)
  const alpha = Float64Array.from({ length }, (_, i) => (i < full ? 1 : i === full ? settings.nu * length - full : 0))
  const y = new Float64Array(length).fill(1)
  const q = createSignedMatrix(kernelParts(features, rows, settings), y)
  const { tolerance, shrinking } = settings
  const linear = new Float64Array(length)
  const problem = { q, y, linear, alpha, upperPositive: 1, upperNegative: 1, tolerance }
  const solution = solve(problem, { shrinking, nu: false }, watch)
  return { ...solution, coefficients: solution.alpha }
}

export function solveRegression(
  features: Features,
  rows: Int32Array,
  targets: Float64Array,
  settings: SvmSettings,
  watch: FitWatch,
): Decision {
  const length = rows.length
  const { tolerance, shrinking, cost, nu, tube } = settings
  const isNu = settings.type === svmType.nuSvr
  const margin = isNu ? 0 : tube
  const y = Float64Array.from({ length: 2 * length }, (_, i) => (i < length ? 1 : -1))
  const linear = Float64Array.from({ length: 2 * length }, (_, i) => margin - (y[i] ?? 0) * (targets[i % length] ?? 0))
  const alpha = new Float64Array(2 * length)
  if (isNu) {
    let rest = (cost * nu * length) / 2
    for (let i = 0; i < length; i++) {
      const share = Math.min(rest, cost)
      alpha[i] = share
      alpha[i + length] = share
      rest -= share
    }
  }
  const q = createMirroredMatrix(kernelParts(features, rows, settings))
  const problem = { q, y, linear, alpha, upperPositive: cost, upperNegative: cost, tolerance }
  const solution: Solution = solve(problem, { shrinking, nu: isNu }, watch)
  const coefficients = Float64Array.from(
    { length },
    (_, i) => (solution.alpha[i] ?? 0) - (solution.alpha[i + length] ?? 0),
  )
  return { ...solution, coefficients }
}

function kernelParts(features: Features, rows: Int32Array, settings: SvmSettings): KernelParts {
  return {
    vectors: createVectors(features, rows),
    kernel: createKernelFunction(settings),
    cache: createRowCache(rows.length, settings.cacheMegabytes),
  }
}

/** A sparse matrix of which more than a third is filled is faster (and not larger) when it is dense. */
export function fasterFeatures(features: Features): Features {
  if (!isSparse(features) || features.indices.length * 3 < features.rows * features.columns) return features
  const { rows, columns, offsets, indices, values } = features
  const dense = new Float64Array(rows * columns)
  for (let row = 0; row < rows; row++) {
    const end = offsets[row + 1] ?? 0
    for (let cell = offsets[row] ?? 0; cell < end; cell++) {
      dense[row * columns + (indices[cell] ?? 0)] = values[cell] ?? 0
    }
  }
  return { rows, columns, values: dense }
}
