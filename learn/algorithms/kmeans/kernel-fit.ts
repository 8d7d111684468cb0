import { Refusal } from '../../../base/refusal.ts'
import type { Features, FitWatch } from '../../dataset.ts'
import { numberOf, type Parameters } from '../../parameters.ts'
import { createRandom, draw } from '../../random.ts'
import { copyRow } from '../copy-row.ts'
import { kernelFrom, kernelValue } from './kernel.ts'
import { iterateKernel } from './kernel-lloyd.ts'
import type { KMeansModel } from './model.ts'
import { measureClusters } from './predict.ts'
import { chooseSeeds } from './seeding.ts'

/** 160 MB of landmarks, which the model keeps. */
const CELLS = 20_000_000

/** How many rows its sample has, unless there are fewer. */
const limitOf = (columns: number, parameters: Parameters): number =>
  Math.min(numberOf(parameters, 'landmarks'), Math.floor(CELLS / Math.max(columns, 1)))

export const landmarksOf = (rows: number, columns: number, parameters: Parameters): number =>
  Math.min(rows, limitOf(columns, parameters))

/**
 * Kernel k-means (Dhillon, Guan and Kulis, KDD 2004) on a sample: its kernel matrix is held whole, 8 bytes a pair of
 * landmarks. The other rows join the nearest of the sample's clusters.
 */
export function fitKernelKMeans(features: Features, parameters: Parameters, watch: FitWatch): KMeansModel {
  const { columns } = features
  const k = numberOf(parameters, 'k')
  const random = createRandom(numberOf(parameters, 'seed'))
  const limit = limitOf(columns, parameters)
  const count = landmarksOf(features.rows, columns, parameters)
  if (count < k) throw new Refusal(`k is ${k}, and kernel k-means takes at most ${limit} rows of ${columns} attributes`)
  if (count < features.rows) watch.log(`kernel k-means on a sample of ${count} of ${features.rows} rows`)

  const order = Int32Array.from({ length: features.rows }, (_, row) => row)
  if (count < features.rows) draw(order, random, count)
  const sample = order.subarray(0, count).sort()
  const landmarks = new Float64Array(count * columns)
  for (const [i, row] of sample.entries()) copyRow(features, row, landmarks.subarray(i * columns, (i + 1) * columns))
  const kernel = kernelFrom(parameters, columns)
  const matrix = new Float64Array(count * count)
  for (let a = 0; a < count; a++) {
    watch.beat((0.1 * a) / count, 'kernel matrix')
    for (let b = 0; b <= a; b++) {
      const value = kernelValue(kernel, columns, landmarks, a * columns, landmarks, b * columns)
      matrix[a * count + b] = value
      matrix[b * count + a] = value
    }
  }
  const diagonal = Float64Array.from({ length: count }, (_, i) => matrix[i * count + i] ?? 0)
  const distancesTo = (point: number, distances: Float64Array): void => {
    for (let i = 0; i < count; i++) {
      const squared = (diagonal[i] ?? 0) + (diagonal[point] ?? 0) - 2 * (matrix[point * count + i] ?? 0)
      distances[i] = Math.max(0, squared)
    }
  }

  const restarts = numberOf(parameters, 'restarts')
  const maxIterations = numberOf(parameters, 'max_iter')
  let best: ReturnType<typeof iterateKernel> | undefined
  for (let restart = 0; restart < restarts; restart++) {
    const seeds = chooseSeeds(count, k, distancesTo, random)
    const found = iterateKernel(matrix, count, seeds, maxIterations, () => watch.beat(0.1, `restart ${restart + 1}`))
    watch.log(`restart ${restart + 1}: inertia ${found.inertia} of the sample after ${found.iterations} iterations`)
    if (best === undefined || found.inertia < best.inertia) best = found
  }
  if (best === undefined) throw new Refusal('restarts must be 1 or more')
  const { labels, squaredNorms, iterations } = best
  const space = { kind: 'kernel', kernel, landmarks, labels, squaredNorms } as const
  const shape = { k, columns, iterations, space }
  return {
    ...shape,
    ...measureClusters(shape, features, (share) => watch.beat(0.2 + 0.8 * share, 'clusters of all rows')),
  }
}
